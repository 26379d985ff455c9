//! The hosts and web pages that the gateway accepts. Otherwise, a page that is open in a browser on this machine could
//! do everything its owner may do, through a DNS name for this machine or through a form, which browsers send without a
//! preflight request.

use std::net::Ipv4Addr;

use http::request::Parts;
use http::uri::Authority;
use http::{HeaderName, HeaderValue, Method, header};

/// Names of this machine. Other names below `localhost` are other origins, and their pages are not the service's.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// Relation of the page to the service, in requests from browsers.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The origins with pages that may write without a token: the service's own, and those that the options allow.
#[derive(Clone)]
pub(crate) struct Origins {
    pub(crate) allowed: Vec<HeaderValue>,
    /// Port of the service.
    pub(crate) port: u16,
}

impl Origins {
    /// Returns true if a request changes nothing, or if its sender is not a browser or is a page of an allowed origin.
    pub(crate) fn may_send(&self, parts: &Parts) -> bool {
        if [Method::GET, Method::HEAD, Method::OPTIONS].contains(&parts.method) {
            return true;
        }
        let mut origins = parts.headers.get_all(header::ORIGIN).iter().peekable();
        if origins.peek().is_some() {
            return origins.all(|origin| self.allowed.contains(origin) || self.is_own(origin, parts));
        }
        // Browsers send an origin with every write, except after some redirects.
        let mut sites = parts.headers.get_all(SEC_FETCH_SITE).iter();
        sites.all(|site| site == "same-origin" || site == "none")
    }

    /// Returns true if the service itself has served the page: under the host of the request, which may be the other
    /// end of a tunnel, or under a name of this machine at the service's port.
    fn is_own(&self, origin: &HeaderValue, parts: &Parts) -> bool {
        let page = origin.to_str().ok().and_then(|origin| parse_authority(origin.strip_prefix("http://")?));
        let Some(page) = page.filter(|page| is_loopback(page.host())) else { return false };
        let port = page.port_u16().unwrap_or(80);
        authority(parts).is_some_and(|requested| requested == page)
            || (port == self.port && LOOPBACK_NAMES.contains(&page.host()))
    }
}

/// Parses a host with or without a port, and nothing else. The library reads the host of `[::1].example` as `[::1]`.
pub(crate) fn parse_authority(text: &str) -> Option<Authority> {
    let authority: Authority = text.parse().ok()?;
    let rest = text.strip_prefix(authority.host())?;
    (rest.is_empty() || (rest.starts_with(':') && authority.port_u16().is_some())).then_some(authority)
}

/// Returns the host and port in the request, valid or not.
fn authority(parts: &Parts) -> Option<Authority> {
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => parse_authority(host.to_str().ok()?),
        (None, None) => parse_authority(parts.uri.authority()?.as_str()),
        _ => None,
    }
}

/// Returns the host and port that a request names. `None` unless there is exactly one valid host.
pub(crate) fn valid_authority(parts: &Parts) -> Option<Authority> {
    let authority = authority(parts)?;
    let host = authority.host();
    // A name with a last part that is a number can only be an address (WHATWG URL, host parsing).
    let last_label = host.rsplit('.').next().unwrap_or_default();
    let is_possible = !last_label.starts_with(|first: char| first.is_ascii_digit()) || host.parse::<Ipv4Addr>().is_ok();
    (is_possible && !last_label.is_empty()).then_some(authority)
}

/// Returns true if a third party may have assigned the name to this machine. A name in the public DNS contains a dot.
pub(crate) fn is_public_name(host: &str) -> bool {
    host.contains('.') && host.parse::<Ipv4Addr>().is_err() && !is_loopback(host)
}

/// Returns true if the host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    LOOPBACK_NAMES.contains(&host) || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if a POST to port 3000 with these headers may write. `https://overlay.example` is allowed.
    fn may_write(headers: &[(HeaderName, &str)]) -> bool {
        let origins = Origins { allowed: vec![HeaderValue::from_static("https://overlay.example")], port: 3000 };
        let (mut parts, ()) = http::Request::post("/users").body(()).expect("a request").into_parts();
        for (name, value) in headers {
            parts.headers.append(name, value.parse().expect("a value"));
        }
        origins.may_send(&parts)
    }

    #[test]
    fn pages_of_the_service_and_of_allowed_origins_may_write() {
        let (host, origin) = (header::HOST, header::ORIGIN);
        for (requested, page) in [
            ("127.0.0.1:3000", "http://127.0.0.1:3000"),
            ("127.0.0.1:3000", "http://localhost:3000"),
            ("localhost:3000", "http://[::1]:3000"),
            ("console.localhost:3000", "http://console.localhost:3000"),
            // The other end of a tunnel.
            ("localhost:8080", "http://localhost:8080"),
            ("localhost", "http://localhost"),
            ("127.0.0.1:3000", "https://overlay.example"),
        ] {
            assert!(may_write(&[(host.clone(), requested), (origin.clone(), page)]), "{page} at {requested}");
        }
    }

    #[test]
    fn pages_of_other_origins_may_not_write() {
        let (host, origin) = (header::HOST, header::ORIGIN);
        for page in [
            "http://localhost:3001",
            "http://localhost",
            "http://127.0.0.1:8080",
            "http://[::1]:5173",
            "http://other.localhost:3000",
            "http://localhost:3000.evil.example",
            "http://127.0.0.1.evil.example:3000",
            "http://evil.example:3000",
            "http://[::1].evil.example:3000",
            "http://[::1]evil:3000",
            "http://evil@localhost:3000",
            "https://localhost:3000",
            "https://evil.example",
            "null",
            "",
        ] {
            assert!(!may_write(&[(host.clone(), "127.0.0.1:3000"), (origin.clone(), page)]), "{page}");
        }
        let both = [(origin.clone(), "http://localhost:3000"), (origin, "https://evil.example")];
        assert!(!may_write(&both));
        // A name in an attacker's DNS is not this machine, regardless of the host.
        assert!(!may_write(&[(host, "evil.example:3000"), (header::ORIGIN, "http://evil.example:3000")]));
    }

    #[test]
    fn without_an_origin_the_browser_names_the_relation() {
        assert!(may_write(&[]));
        for (site, expected) in [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)] {
            assert_eq!(may_write(&[(SEC_FETCH_SITE, site)]), expected, "{site}");
            let allowed = [(SEC_FETCH_SITE, site), (header::ORIGIN, "https://overlay.example")];
            assert!(may_write(&allowed), "{site}");
        }
    }
}
