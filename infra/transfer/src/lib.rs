//! Moves a channel's history: `export` writes it to an archive, and `import` stores an archive in a service.
//!
//! Both use only the public API, so they work with a local and a deployed service alike. Both can be resumed: `export`
//! continues with the next page, and `import` sends everything again, which leaves identical records unchanged.

mod api;
mod archive;
mod export;
mod files;
mod import;
mod line_sums;
pub mod progress;
mod record;

use std::path::PathBuf;

use capture_core::schema::Id;

pub use api::Api;

/// An error that ends the process.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The service to call.
#[derive(Clone, Debug, clap::Args)]
pub struct Service {
    /// URL of the service.
    #[arg(long, global = true, value_name = "URL", env = "EVENT_CAPTURE_URL", default_value = "http://127.0.0.1:3000")]
    pub url: String,
    /// API token, if the service requires one: scope `read` to export, `import` to import.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Maximum number of concurrent requests.
    #[arg(long, value_name = "NUMBER", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: u16,
}

/// Export a channel's history to an archive of text files and images.
///
/// If the command is interrupted, run it again to continue.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportOptions {
    /// Service to export from.
    #[command(flatten)]
    pub service: Service,
    /// Folder of the archive.
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
    /// Export only this user and everything that belongs to them.
    #[arg(long, value_name = "USER_ID", value_parser = id, conflicts_with = "since")]
    pub user: Option<Id>,
    /// Export only the changes since this earlier archive of the same service.
    #[arg(long, value_name = "FOLDER")]
    pub since: Option<PathBuf>,
    /// Pack the finished folder into a .zip file of the same name.
    #[arg(long)]
    pub zip: bool,
}

/// Store an archive's records in a service, and verify each one.
///
/// If the command is interrupted, run it again. Records that are already stored stay as they are.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportOptions {
    /// Service to import into.
    #[command(flatten)]
    pub service: Service,
    /// Folder of the archive.
    #[arg(long, value_name = "FOLDER")]
    pub from: PathBuf,
    /// Match archived users to the service's users by `platform_id`, even if their identifiers differ.
    #[arg(long)]
    pub match_users: bool,
}

/// Exports a channel to an archive.
///
/// # Errors
/// If the service or the disk fails. Call it again with the same options to continue.
pub async fn export(options: ExportOptions) -> Result<(), Error> {
    let api = Api::new(&options.service)?;
    api.check().await?;
    export::run(api, options).await
}

/// Imports an archive.
///
/// # Errors
/// If the archive is damaged, the service fails, or a stored record differs from the archive.
pub async fn import(options: ImportOptions) -> Result<(), Error> {
    let api = Api::new(&options.service)?;
    api.check().await?;
    import::run(api, options).await
}

fn id(text: &str) -> Result<Id, String> {
    Id::parse(text).ok_or_else(|| "expected a positive integer".to_owned())
}
