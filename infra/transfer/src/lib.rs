//! Moves the history of a channel: `export` writes it to an archive, and `import` stores an archive in a service.
//!
//! Both use the public API only, so they work with a service on one machine and a deployed one alike. Both continue
//! where they stopped: `export` from the last page, and `import` because PUT leaves identical records as they are.

mod api;
mod archive;
mod export;
mod files;
mod import;
mod line_sums;
pub mod progress;
mod record;

use std::path::PathBuf;

use event_capture::schema::Id;

use api::Api;

/// Any error that ends the process.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Service to call.
#[derive(Clone, Debug, clap::Args)]
pub struct Service {
    /// URL of the service.
    #[arg(long, global = true, value_name = "URL", env = "EVENT_CAPTURE_URL", default_value = "http://127.0.0.1:3000")]
    pub url: String,
    /// Token of the service, if it requires one: with the scope `read` to export, `import` to import.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Maximum number of concurrent requests.
    #[arg(long, value_name = "NUMBER", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: u16,
}

/// Write the history of a channel to an archive: text files and images.
///
/// If the command is interrupted, run it again: it continues.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportOptions {
    /// Service to export from.
    #[command(flatten)]
    pub service: Service,
    /// Folder of the archive.
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
    /// Export only this user, with everything that belongs to it.
    #[arg(long, value_name = "USER_ID", value_parser = id, conflicts_with = "since")]
    pub user: Option<Id>,
    /// Export only changes since this archive of the same service.
    #[arg(long, value_name = "FOLDER")]
    pub since: Option<PathBuf>,
    /// Pack the folder into a .zip file with the same name at the end.
    #[arg(long)]
    pub zip: bool,
}

/// Store the records of an archive in a service, and verify each of them.
///
/// If the command is interrupted, run it again: records that are stored already stay as they are.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportOptions {
    /// Service to import into.
    #[command(flatten)]
    pub service: Service,
    /// Folder of the archive.
    #[arg(long, value_name = "FOLDER")]
    pub from: PathBuf,
    /// Use the users of the service that have the same `platform_id` as archived ones, even under other identifiers.
    #[arg(long)]
    pub match_users: bool,
}

/// Write an archive.
///
/// # Errors
/// If the service or the disk fails. Another call with the same options continues.
pub async fn export(options: ExportOptions) -> Result<(), Error> {
    let api = Api::new(&options.service)?;
    api.check().await?;
    export::run(api, options).await
}

/// Store the records of an archive.
///
/// # Errors
/// If the archive is damaged, if the service fails, or if a stored record differs from the archive.
pub async fn import(options: ImportOptions) -> Result<(), Error> {
    let api = Api::new(&options.service)?;
    api.check().await?;
    import::run(api, options).await
}

fn id(text: &str) -> Result<Id, String> {
    Id::parse(text).ok_or_else(|| "expected a positive integer".to_owned())
}
