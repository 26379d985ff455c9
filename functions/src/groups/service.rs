//! The service itself: its health, its documents, the explanations of error codes, and the default route.
//!
//! This function accesses no data, so it works while the table is unavailable.

use super::Group;

/// Group of the service.
pub static GROUP: Group = Group {
    routes: &["/", "/health", "/openapi.json", "/asyncapi.json", "/errors", "/errors/{proxy+}", "$default"],
    ..Group::new("service")
};
