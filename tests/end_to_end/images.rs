//! What is an image, told by its bytes.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use end_to_end::{Api, Reply, samples};
use serde_json::json;

async fn post(api: &Api, data: &str) -> Reply {
    api.post("/documents", &json!({"seal": 1, "document_data": data})).await
}

#[tokio::test]
async fn four_formats_are_taken_with_and_without_padding_and_as_data_urls() {
    let api = Api::shared();
    for (bytes, content_type) in [
        (samples::png(3, 5), "image/png"),
        (samples::jpeg(), "image/jpeg"),
        (samples::gif(), "image/gif"),
        (samples::webp(), "image/webp"),
        (samples::animated_png(false), "image/png"),
    ] {
        let (padded, bare) = (STANDARD.encode(&bytes), STANDARD_NO_PAD.encode(&bytes));
        let mislabelled = format!("DATA:text/html;BASE64,{bare}");
        for data in [padded, bare, mislabelled] {
            let document = post(&api, &data).await.created();
            let image = api.get(document["document_data"].as_str().expect("an URL")).await;
            assert_eq!((image.header("content-type"), &image.bytes), (content_type, &bytes));
        }
    }
}

#[tokio::test]
async fn what_does_not_decode_is_refused() {
    let api = Api::shared();
    let mut corrupt = samples::png(64, 64);
    let middle = corrupt.len() / 2;
    corrupt[middle] ^= 0xff;
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() * 2 / 3].to_vec();
    for bytes in [
        Vec::new(),
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(),
        b"<!doctype html>".to_vec(),
        samples::png(2, 2)[..8].to_vec(),
        cut(samples::png(64, 64)),
        cut(samples::jpeg()),
        cut(samples::gif()),
        cut(samples::webp()),
        corrupt,
        samples::webp()[..samples::webp().len() - 1].to_vec(),
        samples::animated_png(true),
        samples::indexed_png_without_palette(),
    ] {
        assert_eq!(post(&api, &STANDARD.encode(&bytes)).await.refused(422), ["/document_data"], "{bytes:x?}");
    }
    for text in ["", "*", "data:image/png", "data:image/png;base64,*"] {
        assert_eq!(post(&api, text).await.refused(422), ["/document_data"], "{text}");
    }
    assert_eq!(api.post("/documents", &json!({"seal": 1, "document_data": 5})).await.refused(422), ["/document_data"]);
}

#[tokio::test]
async fn an_image_has_at_most_16384_pixels_a_side_and_50_megapixels() {
    let api = Api::shared();
    for (width, height, fits) in
        [(16_384, 1, true), (16_385, 1, false), (1, 16_385, false), (10_000, 5_000, true), (10_000, 5_001, false)]
    {
        let reply = post(&api, &STANDARD.encode(samples::png(width, height))).await;
        assert_eq!(reply.status.as_u16(), if fits { 201 } else { 422 }, "{width} by {height}");
    }
}

#[tokio::test]
async fn many_large_images_at_once_are_all_stored_and_keep_nobody_waiting() {
    let api = Api::own();
    let image = STANDARD.encode(samples::png(5_000, 5_000));
    let uploads = futures_util::future::join_all((0..24).map(|_| post(&api, &image)));
    let others = async {
        for _ in 0..20 {
            api.user().await;
        }
    };
    let (stored, ()) = tokio::join!(uploads, others);
    assert!(stored.iter().all(|reply| reply.status == 201));
}
