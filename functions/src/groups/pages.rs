//! The web pages: the console, the overlay, the page of a viewer, the API reference, and the files that they share.
//!
//! A separate binary serves them: their files would slow down the start of every other function.

use super::Group;

/// Group of the pages.
pub static GROUP: Group = Group {
    routes: &[
        "/console",
        "/console/{proxy+}",
        "/overlay",
        "/overlay/{proxy+}",
        "/viewer",
        "/viewer/{proxy+}",
        "/docs",
        "/docs/{proxy+}",
        "/shared/{proxy+}",
    ],
    ..Group::new("pages")
};
