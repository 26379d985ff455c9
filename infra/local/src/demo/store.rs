//! The demo's store: products, and viewers' purchases in every status.

use fastrand::Rng;
use http::StatusCode;
use serde_json::{Value, json};

use super::channel::ApiClient;
use super::live::{CHAT, pick};
use crate::Error;

const COLORS: [&str; 4] = ["red", "blue", "green", "violet"];
/// Number of purchases for each product.
const PURCHASES: usize = 5;

/// Returns the bodies of the products.
fn products() -> [Value; 5] {
    [
        json!({"name": "Golden acorn", "description": "An acorn for your inventory", "price": 120, "stock": 40,
            "max_per_user": 3, "item_name": "golden acorn", "automatic": true}),
        json!({"name": "Highlight my message", "price": 60, "question": "Which message?", "user_cooldown": 300}),
        json!({"name": "Change the light", "price": 40, "question": "Which color?", "cooldown": 30}),
        json!({"name": "Play a round with me", "description": "In the next stream", "price": 200, "stock": 10}),
        json!({"name": "Winter scarf", "price": 150, "item_name": "winter scarf", "enabled": false}),
    ]
}

impl ApiClient {
    /// Creates products, unless an earlier demo did, and lets viewers buy them.
    pub(super) async fn create_purchases(&self, viewers: &[Value], rng: &mut Rng) -> Result<(), Error> {
        for body in products() {
            let product = self.product(&body).await?;
            for _ in 0..PURCHASES {
                let buyer = &viewers[rng.usize(..viewers.len())];
                self.purchase(&product, buyer, rng).await?;
            }
        }
        Ok(())
    }

    async fn product(&self, body: &Value) -> Result<Value, Error> {
        let name = body["name"].as_str().unwrap_or_default().replace(' ', "%20");
        let (_, stored) = self.send("GET", &format!("/products?name={name}"), &[], String::new()).await?;
        match serde_json::from_str::<Vec<Value>>(&stored)?.pop() {
            Some(product) => Ok(product),
            None => self.post("/products", body).await,
        }
    }

    /// Buys a product, and fulfils or refunds some purchases. The store may reject a purchase.
    async fn purchase(&self, product: &Value, buyer: &Value, rng: &mut Rng) -> Result<(), Error> {
        let answer = match product["question"].as_str() {
            Some(question) if question.contains("color") => Some(pick(&COLORS, rng)),
            Some(_) => Some(pick(&CHAT, rng)),
            None => None,
        };
        let order = json!({"user_id": buyer["user_id"], "product_id": product["product_id"], "answer": answer});
        let headers = [("content-type", "application/json")];
        let (status, response) = self.send("POST", "/purchases", &headers, order.to_string()).await?;
        if status == StatusCode::CONFLICT {
            return Ok(());
        }
        if status != StatusCode::CREATED {
            return Err(format!("POST /purchases failed: {status} {response}").into());
        }
        let purchase: Value = serde_json::from_str(&response)?;
        let next = ["fulfilled", "refunded", "pending"][rng.usize(..3)];
        if purchase["status"] == "pending" && next != "pending" {
            let path = format!("/purchases/{}", purchase["purchase_id"]);
            self.send("PATCH", &path, &headers, json!({"status": next}).to_string()).await?;
        }
        Ok(())
    }
}
