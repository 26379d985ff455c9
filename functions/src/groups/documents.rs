//! Documents and their images.
//!
//! The images have a route of their own, whose random names are their only protection. It redirects to the bucket.

use event_capture::resources::DOCUMENTS;

use super::Group;

/// Group of documents.
pub static GROUP: Group =
    Group { routes: &["/documents", "/documents/{proxy+}", "/images/{proxy+}"], images: true, ..Group::of(&DOCUMENTS) };
