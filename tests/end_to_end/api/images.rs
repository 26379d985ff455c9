//! Tests of images. The bytes decide whether they are an image, and its format.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use end_to_end::{Api, Reply, amount, samples, stack_in};
use reqwest::Method;
use serde_json::json;

async fn post(api: &Api, data: &str) -> Reply {
    api.post("/documents", &json!({"seal": 1, "document_data": data})).await
}

#[tokio::test]
async fn four_formats_decode_from_base64_and_data_urls() {
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
            let image = api.get(document["document_data"].as_str().expect("a URL")).await;
            assert_eq!((image.header("content-type"), &image.bytes), (content_type, &bytes));
        }
    }
}

#[tokio::test]
async fn base64_may_have_broken_lines_and_no_other_white_space() {
    let api = Api::shared();
    let base64 = STANDARD.encode(samples::png(3, 5));
    let broken = |line: &str| {
        let (first, rest) = base64.split_at(20);
        format!("{first}{line}{rest}{line}")
    };
    for line in ["\r\n", "\n", "\r"] {
        let percent_encoded = broken("%0D%0A");
        for data in [
            broken(line),
            format!("data:image/png;base64,{}", broken(line)),
            format!("data:;base64,{percent_encoded}"),
            format!("data:image/png;{line}base64,{base64}"),
        ] {
            let document = post(&api, &data).await.created();
            let image = api.get(document["document_data"].as_str().expect("a URL")).await;
            assert_eq!(image.bytes, samples::png(3, 5), "{data:?}");
        }
    }
    for space in [" ", "\t", "\u{b}", "\u{a0}"] {
        assert_eq!(post(&api, &broken(space)).await.refused(422), ["/document_data"], "{space:?}");
        let url = format!("data:image/png;base64,{}", broken(space));
        assert_eq!(post(&api, &url).await.refused(422), ["/document_data"], "{space:?}");
    }
}

#[tokio::test]
async fn gif_is_accepted_as_browsers_show_it_within_the_limits_of_each_frame() {
    let api = Api::shared();
    let without_trailer = |mut bytes: Vec<u8>| {
        assert_eq!(bytes.pop(), Some(b';'));
        bytes
    };
    for (what, bytes, is_accepted) in [
        ("without a trailer", without_trailer(samples::gif()), true),
        ("with zeros before the trailer", [without_trailer(samples::gif()), b"\0\0;".to_vec()].concat(), true),
        ("with an unknown extension", [without_trailer(samples::gif()), b"!\x42\x01x\0;".to_vec()].concat(), true),
        ("with data after the trailer", [samples::gif(), b"more".to_vec()].concat(), true),
        ("beyond the screen", samples::gif_with_frame(1, 1, 2, 2), true),
        ("larger than the screen", samples::gif_with_frame(0, 0, 300, 200), true),
        ("as wide as allowed", samples::gif_with_frame(0, 0, 16_384, 1), true),
        ("too wide", samples::gif_with_frame(0, 0, 16_385, 1), false),
        ("too large", samples::gif_with_frame(0, 0, 10_000, 5_001), false),
        (
            "in the middle of a frame",
            {
                let gif = samples::gif();
                gif[..gif.len() - 4].to_vec()
            },
            false,
        ),
        ("without the end of a frame", without_trailer(without_end(samples::gif())), false),
    ] {
        let reply = post(&api, &STANDARD.encode(&bytes)).await;
        assert_eq!(reply.status.as_u16(), if is_accepted { 201 } else { 422 }, "{what}");
    }
}

/// Returns a JPEG with bytes between its first segments, as some scanners write them.
fn jpeg_with_filler() -> Vec<u8> {
    let mut jpeg = samples::jpeg();
    let end_of_segment =
        |jpeg: &[u8], at: usize| at + 2 + usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
    let first = end_of_segment(&jpeg, 2);
    for end in [end_of_segment(&jpeg, first), first] {
        jpeg.splice(end..end, *b"\0scan\xff\xff");
    }
    jpeg
}

/// Returns a WebP that announces metadata in its header but has none.
fn webp_without_its_metadata(flags: u8) -> Vec<u8> {
    let webp = samples::webp();
    // One pixel, as two three-byte numbers that are one less.
    let header = [b"VP8X\x0a\0\0\0".to_vec(), vec![flags, 0, 0, 0], vec![0; 6]].concat();
    let chunks = [b"WEBP".to_vec(), header, webp[12..].to_vec()].concat();
    [b"RIFF".to_vec(), u32::try_from(chunks.len()).expect("a length").to_le_bytes().to_vec(), chunks].concat()
}

#[tokio::test]
async fn image_is_accepted_as_browsers_show_it() {
    let api = Api::shared();
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() * 2 / 3].to_vec();
    let declaring = |size: u32| {
        let mut webp = samples::webp();
        webp[4..8].copy_from_slice(&size.to_le_bytes());
        webp
    };
    let size = u32::try_from(samples::webp().len()).expect("a length") - 8;
    for (what, bytes, is_accepted) in [
        ("a JPEG with bytes between its segments", jpeg_with_filler(), true),
        ("a cut JPEG with bytes between its segments", cut(jpeg_with_filler()), false),
        ("a WebP without its EXIF", webp_without_its_metadata(0b1000), true),
        ("a WebP without its XMP", webp_without_its_metadata(0b0100), true),
        ("a cut WebP without its EXIF", cut(webp_without_its_metadata(0b1000)), false),
        ("a WebP that declares no length", declaring(0), false),
        ("a WebP that declares too small a length", declaring(size - 2), false),
        ("a WebP with more than its length", [declaring(size), b"more".to_vec()].concat(), true),
    ] {
        let reply = post(&api, &STANDARD.encode(&bytes)).await;
        assert_eq!(reply.status.as_u16(), if is_accepted { 201 } else { 422 }, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn small_image_does_not_wait_for_large_ones() {
    // A function's binary handles one request at a time.
    if std::env::var_os("FUNCTIONS").is_some() {
        return;
    }
    let api = Api::start();
    let (large, small) = (STANDARD.encode(samples::png(7_000, 7_000)), STANDARD.encode(samples::jpeg()));
    let done = std::sync::atomic::AtomicUsize::new(0);
    let uploads = futures_util::future::join_all((0..8).map(|_| async {
        let reply = post(&api, &large).await;
        done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        reply
    }));
    let among = async {
        // The large ones are being decoded.
        while done.load(std::sync::atomic::Ordering::Relaxed) == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        post(&api, &small).await.created();
        done.load(std::sync::atomic::Ordering::Relaxed)
    };
    let (stored, before) = tokio::join!(uploads, among);
    assert!(stored.iter().all(|reply| reply.status == 201));
    assert!(before < 8, "the small image was stored among the large ones");
}

/// Returns a GIF with an unterminated last frame, followed by the trailer.
fn without_end(mut gif: Vec<u8>) -> Vec<u8> {
    let end = gif.len() - 2;
    assert_eq!(gif.remove(end), 0);
    gif
}

/// A redirect to another name of this machine would leave the origin. The browser then sends the origin `null` and does
/// not let pages read the response.
#[tokio::test(flavor = "multi_thread")]
async fn page_of_an_allowed_origin_reads_images_under_each_name_of_this_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = "http://localhost:8080";
    let service = stack_in(folder.path(), |options| options.allow_origin = vec![page.parse().expect("an origin")]);
    let image = samples::png(3, 5);
    let document = post(&service, &STANDARD.encode(&image)).await.created();
    let name = document["document_data"].as_str().expect("a URL").rsplit_once('/').expect("a name").1.to_owned();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let get = async |url: &str, origin: &str| {
        let response = client.get(url).header("Origin", origin).send().await.expect("a response");
        let header = |name: &str| {
            response.headers().get(name).map_or_else(String::new, |value| value.to_str().expect("a text").to_owned())
        };
        let (location, allowed) = (header("location"), header("access-control-allow-origin"));
        (location, allowed, response.bytes().await.expect("a body"))
    };
    for host in ["127.0.0.1", "localhost"] {
        let base = service.base().replace("127.0.0.1", host);
        let (location, allowed, _) = get(&format!("{base}/images/{name}"), page).await;
        assert!(location.starts_with(&format!("{base}/event-capture-images/")), "{location}");
        assert_eq!(allowed, page);
        let (_, allowed, bytes) = get(&location, page).await;
        assert_eq!((allowed.as_str(), &bytes[..]), (page, &image[..]), "{host}");
        let forged = location.replace("signature=", "signature=0");
        assert!(forged != location && get(&forged, page).await.2 != image, "{host}");
        for url in [format!("{base}/images/{name}"), location] {
            assert_eq!(get(&url, "https://other.example").await.1, "", "{url}");
        }
    }
}

#[tokio::test]
async fn undecodable_image_returns_422() {
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
        include_bytes!("../../fuzz/corpus/image/panics").to_vec(),
    ] {
        assert_eq!(post(&api, &STANDARD.encode(&bytes)).await.refused(422), ["/document_data"], "{bytes:x?}");
    }
    for text in ["", "*", "data:image/png", "data:image/png;base64,*"] {
        assert_eq!(post(&api, text).await.refused(422), ["/document_data"], "{text}");
    }
    assert_eq!(api.post("/documents", &json!({"seal": 1, "document_data": 5})).await.refused(422), ["/document_data"]);
}

#[tokio::test]
async fn image_above_16384_pixels_or_50_megapixels_returns_422() {
    let api = Api::shared();
    for (width, height, fits) in
        [(16_384, 1, true), (16_385, 1, false), (1, 16_385, false), (10_000, 5_000, true), (10_000, 5_001, false)]
    {
        let reply = post(&api, &STANDARD.encode(samples::png(width, height))).await;
        assert_eq!(reply.status.as_u16(), if fits { 201 } else { 422 }, "{width} by {height}");
    }
}

#[tokio::test]
async fn concurrent_large_images_do_not_delay_other_requests() {
    let api = Api::start();
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

#[tokio::test(flavor = "multi_thread")]
async fn images_ignore_invalid_ranges_and_support_304() {
    let api = Api::shared();
    let url = api.document().await["document_data"].as_str().expect("a URL").to_owned();
    let get = async |name: &str, value: &str| api.send(api.request(Method::GET, &url).header(name, value)).await;
    let whole = samples::png(2, 2);
    for range in ["items=0-5", "bytes=x-y", "bytes=5-1", "bytes=0-1,3-4", "bytes="] {
        let reply = get("Range", range).await;
        assert_eq!((reply.status.as_u16(), &reply.bytes), (200, &whole), "{range}");
    }
    let part = get("Range", "bytes=1-3").await;
    assert_eq!((part.status.as_u16(), &part.bytes[..]), (206, &whole[1..4]));
    let tag = api.get(&url).await.header("etag").to_owned();
    for known in [tag.clone(), format!("\"x\", {tag}"), "*".to_owned()] {
        let reply = get("If-None-Match", &known).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{known}");
    }
    assert_eq!(get("If-None-Match", "\"x\"").await.status, 200);
}

/// Returns an incompressible image of nearly 4 MiB.
fn noise() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1_000, 1_020);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::NoCompression);
    let pixels: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..)).take(4 * 1_000 * 1_020).collect();
    encoder.write_header().expect("a header").write_image_data(&pixels).expect("pixels");
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_uploads_are_stored_in_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = crate::guarantees::crash::Process::start(folder.path());
    let api = &process.api;
    let body = json!({"document_data": STANDARD.encode(noise()), "seal": 1}).to_string();
    let upload = || {
        let request = api.request(Method::POST, "/documents").header("content-type", "application/json");
        api.send(request.body(body.clone()))
    };
    let (count, done) = (amount("UPLOADS", 32, 64), std::sync::atomic::AtomicUsize::new(0));
    // The allocator retains some of each batch's memory.
    for _ in 0..2 {
        let stored = futures_util::future::join_all((0..count / 2).map(|_| upload())).await;
        assert!(stored.iter().all(|reply| reply.status == 201));
    }
    let uploads = futures_util::future::join_all((0..count).map(|_| async {
        let reply = upload().await;
        done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        reply
    }));
    // A small request does not wait for all uploads.
    let small = async {
        while done.load(std::sync::atomic::Ordering::Relaxed) == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        api.user().await;
        done.load(std::sync::atomic::Ordering::Relaxed)
    };
    let (stored, before) = tokio::join!(uploads, small);
    assert!(stored.iter().all(|reply| reply.status == 201));
    assert!(before < count, "the small request was answered among the uploads");
    let peak = process.peak_memory();
    // The functions' binaries run in separate processes.
    if std::env::var_os("FUNCTIONS").is_none() {
        assert!(peak < 600_000_000, "the peak was {peak} bytes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn urls_behind_a_proxy_have_its_name_and_scheme() {
    let (api, folder) = end_to_end::stack_with_tokens();
    let token = crate::api::tokens::make(folder.path(), "write");
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let send = async |request: reqwest::RequestBuilder| {
        let request = request.header("Host", "stream.example").header("X-Forwarded-Proto", "https");
        request.bearer_auth(&token).send().await.expect("a response")
    };
    let text = |response: &reqwest::Response, name: &str| response.headers()[name].to_str().expect("a text").to_owned();
    let mut created = Vec::new();
    for _ in 0..2 {
        created.push(send(client.post(format!("{}/documents", api.base())).json(&samples::document())).await);
    }
    let location = text(&created[0], "location");
    assert!(location.starts_with("https://stream.example/documents/"), "{location}");
    let page = send(client.get(format!("{}/documents?limit=1", api.base()))).await;
    assert!(text(&page, "link").starts_with("<https://stream.example/documents?"), "{}", text(&page, "link"));
    let list: serde_json::Value = page.json().await.expect("JSON");
    let image = list[0]["document_data"].as_str().expect("a URL").to_owned();
    // The redirect leads to the same name, where the signature is valid.
    let local = |url: &str| url.replace("https://stream.example", api.base());
    assert!(image.starts_with("https://stream.example/images/"), "{image}");
    let redirect = send(client.get(local(&image))).await;
    let target = text(&redirect, "location");
    assert!(target.starts_with("https://stream.example/"), "{target}");
    let bytes = send(client.get(local(&target))).await.bytes().await.expect("a body");
    assert_eq!(bytes, samples::png(2, 2));
}
