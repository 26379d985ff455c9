//! Documents and their images.
//!
//! A separate route redirects to the images in the bucket. Their random names are their only protection.

use capture_core::resources::DOCUMENTS;

use super::Group;

/// Group of documents.
pub static GROUP: Group =
    Group { routes: &["/documents", "/documents/{proxy+}", "/images/{proxy+}"], images: true, ..Group::of(&DOCUMENTS) };
