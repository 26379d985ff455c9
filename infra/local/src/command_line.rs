//! The command line: commands in groups, and options that are valid before or after a command.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::Styles;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::{Error, backup, demo, feed, import_points, options, payments, rollups, status, sweep, tokens};

/// Name of the binary.
const NAME: &str = "event-capture";
/// Command that runs if none is given.
const DEFAULT: &str = "serve";
/// Commands in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Serve", &[DEFAULT, "demo", "status"]),
    ("Data", &["backup", "export", "import", "import-points", "feed", "payments", "rollups", "sweep"]),
    ("Access", &["token"]),
    ("Twitch", &["twitch"]),
    ("Shell", &["completions", "man"]),
];

/// Event capture for live streams.
#[derive(clap::Parser)]
#[command(name = NAME, version = env!("EVENT_CAPTURE_VERSION"), arg_required_else_help = false)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Run the service on this machine. This is the default command.
    Serve(Box<options::Options>),
    /// Show demo data in a separate service, or load it into a running one.
    Demo(demo::Options),
    Status(status::Options),
    Backup(backup::Options),
    Export(transfer::ExportOptions),
    Import(transfer::ImportOptions),
    ImportPoints(import_points::Options),
    Feed(feed::Options),
    Payments(payments::Options),
    Rollups(rollups::Options),
    Sweep(sweep::Options),
    Token(tokens::Options),
    Twitch(twitch::Options),
    /// Print a shell script that completes commands and options.
    Completions {
        /// Shell to print the script for.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of all commands to a folder.
    Man {
        /// Folder, such as ~/.local/share/man/man1.
        folder: PathBuf,
    },
}

/// Parses the command line of the process. Exits if it is invalid or asks for help.
pub(crate) fn parse() -> Command {
    parse_from(&std::env::args_os().collect::<Vec<_>>()).unwrap_or_else(|error| error.exit())
}

/// Prints a shell script that completes the command line.
pub(crate) fn print_completions(shell: clap_complete::Shell) -> Result<(), Error> {
    // The crate's functions panic if standard output is closed.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), NAME, &mut script);
    match std::io::stdout().write_all(&script) {
        // The reader needs no more, such as `head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes the manual pages of all commands.
pub(crate) fn write_manual(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder)?;
    Ok(clap_mangen::generate_to(command(), folder)?)
}

fn command() -> clap::Command {
    Arguments::command()
}

fn parse_from(given: &[OsString]) -> Result<Command, clap::Error> {
    let matches = matches_of(given)?;
    check_options(&matches)?;
    Ok(Arguments::from_arg_matches(&matches)?.command)
}

/// Matches the arguments. Without a command, the options are those of the default command.
fn matches_of(given: &[OsString]) -> clap::error::Result<ArgMatches> {
    let matches = with_global_options().try_get_matches_from(given);
    let kind = matches.as_ref().err().map(clap::Error::kind);
    if !matches!(kind, Some(ErrorKind::MissingSubcommand | ErrorKind::UnknownArgument)) {
        return matches;
    }
    let (program, rest) = given.split_at(given.len().min(1));
    let with_default = [program, &[DEFAULT.into()], rest].concat();
    let matches_of_default = with_global_options().try_get_matches_from(with_default);
    // An argument may be the value of an option and also the name of a command.
    let names_command = given.iter().any(|argument| command().find_subcommand(argument).is_some());
    if matches_of_default.is_ok() || !names_command { matches_of_default } else { matches }
}

/// Builds the command line to parse: global options of any command may also stand before the command.
fn with_global_options() -> clap::Command {
    let mut global: Vec<clap::Arg> = Vec::new();
    for argument in command().get_subcommands().flat_map(clap::Command::get_arguments) {
        if argument.is_global_set() && global.iter().all(|known| known.get_id() != argument.get_id()) {
            // The help of a command shows only its own options, and each command has its own default and variable.
            global.push(argument.clone().hide(true).default_value(None).env(None));
        }
    }
    command().help_template(help()).args(global)
}

/// Rejects an option that belongs only to another command.
fn check_options(matches: &ArgMatches) -> Result<(), clap::Error> {
    let (mut all, own) = (with_global_options(), command());
    let Some((name, matches_of_command)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = own.find_subcommand(name) else { return Ok(()) };
    let action = matches_of_command.subcommand_name().and_then(|name| command.find_subcommand(name));
    let has = |argument: &clap::Arg| {
        let own = command.get_arguments().chain(action.into_iter().flat_map(clap::Command::get_arguments));
        own.into_iter().any(|own| own.get_id() == argument.get_id())
    };
    let is_foreign = |argument: &&clap::Arg| {
        matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) && !has(argument)
    };
    let foreign = all.get_arguments().find(is_foreign).and_then(clap::Arg::get_long);
    let Some(option) = foreign.map(str::to_owned) else { return Ok(()) };
    let problem = format!("`{}` has no option --{option}.", command.get_name());
    Err(all.error(ErrorKind::UnknownArgument, problem))
}

/// Builds the help: the commands in groups, one line each. clap cannot group commands.
fn help() -> String {
    let command = command();
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut help = format!("{{about}}\n\n{header}Usage:{header:#} {literal}{NAME}{literal:#} [COMMAND] [OPTIONS]\n");
    for (group, names) in GROUPS {
        let _ = write!(help, "\n{header}{group}:{header:#}\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about).cloned().unwrap_or_default();
            let _ = writeln!(help, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    let _ = write!(
        help,
        "\n{header}Options:{header:#}\n{{options}}\n\nRun `{NAME} <COMMAND> --help` for the options of a command."
    );
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &str) -> Vec<OsString> {
        [NAME].into_iter().chain(arguments.split_whitespace()).map(OsString::from).collect()
    }

    fn refused(arguments: &str) -> String {
        parse_from(&given(arguments)).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn command_line_is_consistent() {
        with_global_options().debug_assert();
    }

    #[test]
    fn help_has_one_line_for_each_command() {
        let help = with_global_options().render_help().to_string();
        for command in command().get_subcommands() {
            let name = command.get_name();
            let lines: Vec<_> = help.lines().filter(|line| line.split_whitespace().next() == Some(name)).collect();
            assert!(lines.len() == 1 && lines[0].len() <= 100 && lines[0].len() > 20, "{name}: {lines:?}");
        }
    }

    #[test]
    fn options_without_a_command_are_those_of_serve() {
        for arguments in ["", "--port 80", "--data-dir elsewhere", "--data-dir demo --port 80", "serve --port 80"] {
            let parsed = parse_from(&given(arguments));
            assert!(matches!(parsed, Ok(Command::Serve(_))), "{arguments}");
        }
        let port = |arguments: &str| match parse_from(&given(arguments)) {
            Ok(Command::Serve(options)) => options.port,
            _ => 0,
        };
        assert_eq!((port("--port 80"), port("serve --port 81"), port("--data-dir token --port 82")), (80, 81, 82));
        assert!(refused("--prot 80").contains("--port"), "the error names the similar option");
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for arguments in
            ["--url http://a export --to x", "export --url http://a --to x", "export --to x --url http://a"]
        {
            let Ok(Command::Export(options)) = parse_from(&given(arguments)) else { panic!("{arguments}") };
            assert_eq!(options.service.url, "http://a");
        }
        for arguments in ["--data-dir a serve", "serve --data-dir a"] {
            let Ok(Command::Serve(options)) = parse_from(&given(arguments)) else { panic!("{arguments}") };
            assert_eq!(options.data_dir, std::path::Path::new("a"));
        }
        for arguments in
            ["--url http://a twitch status", "twitch --url http://a connect", "twitch connect --url http://a"]
        {
            assert!(matches!(parse_from(&given(arguments)), Ok(Command::Twitch(_))), "{arguments}");
        }
        for arguments in ["--data-dir a token list", "token --data-dir a list", "token list --data-dir a --table b"] {
            assert!(matches!(parse_from(&given(arguments)), Ok(Command::Token(_))), "{arguments}");
        }
    }

    #[test]
    fn option_of_another_command_is_refused() {
        for (arguments, option) in [
            ("export --to x --data-dir a", "--data-dir"),
            ("--data-dir a export --to x", "--data-dir"),
            ("feed advance --url http://a", "--url"),
            ("--port 80 token list", "--port"),
            ("serve --url a", "--url"),
            ("--url http://a twitch list --client-id a --client-secret b", "--url"),
        ] {
            assert!(refused(arguments).contains(option), "{arguments}: {}", refused(arguments));
        }
    }
}
