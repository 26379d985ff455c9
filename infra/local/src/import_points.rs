//! The `import-points` command: gives viewers the points that they had in another bot.
//!
//! Each viewer gets one transaction. Its identifier derives from the viewer's Twitch identifier, so a second run finds it
//! and changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use capture_core::schema::{Id, MAX_INTEGER, Timestamp};
use csv::{ReaderBuilder, StringRecord, Trim};
use futures_util::{StreamExt, TryStreamExt, stream};
use http::Method;
use serde_json::{Value, json};
use transfer::{Api, Service};
use twitch::connection::users::users_by_login;

use crate::Error;

/// Names of columns with a Twitch identifier, a login and points, in lower case and without spaces, `-` and `_`.
const ID_COLUMNS: [&str; 6] = ["twitchid", "twitchuserid", "platformid", "userid", "viewerid", "id"];
const LOGIN_COLUMNS: [&str; 8] =
    ["twitchusername", "username", "login", "name", "user", "viewer", "viewername", "userlogin"];
const POINTS_COLUMNS: [&str; 5] = ["points", "currentpoints", "currency", "balance", "coins"];

/// Give viewers the points that they had in another bot, from a CSV file.
///
/// A second run changes nothing.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// File with a login or a Twitch identifier, and points, in each line.
    file: PathBuf,
    #[command(flatten)]
    service: Service,
    /// Name of the column with the points, such as Firebot's name of the currency.
    #[arg(long, value_name = "NAME")]
    points: Option<String>,
    /// Show what would be imported, and store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Data folder with the login at Twitch, which finds the identifiers of names.
    #[arg(long, env = "EVENT_CAPTURE_DATA_DIR", default_value = ".data")]
    data_dir: PathBuf,
    /// Server of Twitch's API.
    #[arg(
        long,
        value_name = "URL",
        env = "TWITCH_API_URL",
        default_value = "https://api.twitch.tv/helix",
        hide = true
    )]
    twitch_api_url: String,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    number: u64,
    viewer: Viewer,
    points: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Viewer {
    /// A Twitch identifier and a name, which is the identifier if the line has none.
    Id(String, String),
    Login(String),
}

/// A line that is left out, and why.
type LeftOut = (u64, String);

/// Points of a viewer.
struct Balance {
    line: u64,
    platform_id: String,
    name: String,
    points: i64,
}

/// Runs the command. Fails if a line was left out.
pub(crate) async fn run(options: Options) -> Result<ExitCode, Error> {
    let text = std::fs::read_to_string(&options.file);
    let text = text.map_err(|error| {
        let fix = if error.kind() == ErrorKind::InvalidData { " Save it as CSV in UTF-8." } else { "" };
        format!("Cannot read {}: {error}.{fix}", options.file.display())
    })?;
    // 1. The lines of the file.
    let (lines, mut left_out) = parse(&text, options.points.as_deref())?;
    // 2. The identifiers of their viewers.
    let balances = identified(lines, &options.data_dir, &options.twitch_api_url, &mut left_out).await?;
    // 3. A transaction for each.
    let api = &Api::new(&options.service)?;
    let (mut new, mut earlier) = (0, 0);
    if options.dry_run {
        for balance in &balances {
            println!("{} ({}): {}", balance.name, balance.platform_id, balance.points);
        }
    } else {
        api.check().await?;
        let stored = stream::iter(&balances).map(|balance| store(api, balance)).buffer_unordered(api.concurrency);
        for outcome in stored.try_collect::<Vec<_>>().await? {
            match outcome {
                Ok(true) => new += 1,
                Ok(false) => earlier += 1,
                Err(refused) => left_out.push(refused),
            }
        }
    }
    // 4. What was left out.
    left_out.sort();
    for (line, reason) in &left_out {
        println!("Line {line} was left out: {reason}");
    }
    let sum: i128 = balances.iter().map(|balance| i128::from(balance.points)).sum();
    let (viewers, left) = (balances.len(), left_out.len());
    if options.dry_run {
        println!("Viewers: {viewers}. Points in all: {sum}. Lines left out: {left}. Nothing was stored.");
    } else {
        println!("{new} of {viewers} viewers got their points, {earlier} had them before. Lines left out: {left}.");
    }
    Ok(if left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Parses the file. Lines with a doubtful number are left out.
fn parse(text: &str, points: Option<&str>) -> Result<(Vec<Line>, Vec<LeftOut>), Error> {
    // The reader counts a `\r` as a part of the next line.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    // The first line of some spreadsheets only names the delimiter, as in `sep=;`. Its line break counts.
    let text = text.strip_prefix("sep=").map_or(text.as_str(), |rest| rest.trim_start_matches(|char| char != '\n'));
    let first = text.lines().find(|line| !line.is_empty()).unwrap_or_default();
    // Spreadsheets of some languages separate columns by semicolons.
    let delimiter = [b'\t', b';'].into_iter().find(|byte| first.as_bytes().contains(byte)).unwrap_or(b',');
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).trim(Trim::All).delimiter(delimiter);
    let rows: Vec<StringRecord> = reader.from_reader(text.as_bytes()).records().collect::<Result<_, _>>()?;
    let header: Vec<_> = rows.first().into_iter().flatten().map(simplified).collect();
    let column = |names: &[&str]| names.iter().find_map(|name| header.iter().position(|column| column == name));
    let wanted = points.map(simplified);
    let points_column = match &wanted {
        Some(name) => {
            Some(column(&[name]).ok_or_else(|| format!("The file has no column {}.", points.unwrap_or_default()))?)
        }
        None => column(&POINTS_COLUMNS),
    };
    let has_header = points_column.is_some();
    if !has_header && rows.first().and_then(|row| row.get(1)).is_some_and(|field| !field.contains(char::is_numeric)) {
        let columns = rows.first().into_iter().flatten().collect::<Vec<_>>().join(", ");
        return Err(format!("No column has a known name for points: {columns}. Name it by --points.").into());
    }
    let id_column = column(&ID_COLUMNS).filter(|_| has_header);
    let login_column = column(&LOGIN_COLUMNS).filter(|_| has_header);
    if has_header && id_column.is_none() && login_column.is_none() {
        return Err(
            "The file has no column with names or Twitch identifiers. Name one of its columns username or id.".into()
        );
    }
    let (mut lines, mut left_out) = (Vec::new(), Vec::new());
    for row in rows.iter().skip(usize::from(has_header)) {
        let number = row.position().map_or(0, csv::Position::line);
        let field = |column: Option<usize>| column.and_then(|column| row.get(column)).filter(|text| !text.is_empty());
        let viewer = match (field(id_column), field(login_column), field(Some(0))) {
            (Some(id), name, _) if is_id(id) => Some(Viewer::Id(id.to_owned(), name.unwrap_or(id).to_owned())),
            (_, Some(login), _) => Some(Viewer::Login(login.to_lowercase())),
            (None, None, Some(first)) if !has_header && is_id(first) => {
                Some(Viewer::Id(first.to_owned(), first.to_owned()))
            }
            (None, None, Some(first)) if !has_header => {
                Some(Viewer::Login(first.trim_start_matches('@').to_lowercase()))
            }
            _ => None,
        };
        let Some(viewer) = viewer else {
            left_out.push((number, "it names no viewer.".to_owned()));
            continue;
        };
        let text = field(Some(points_column.unwrap_or(1))).unwrap_or_default();
        match text.parse::<i64>().ok().filter(|points| points.abs() <= MAX_INTEGER && !text.starts_with('+')) {
            // A transaction of nothing would only be noise.
            Some(0) => {}
            Some(points) => lines.push(Line { number, viewer, points }),
            None => left_out.push((number, format!("{text:?} is not a whole number without separators."))),
        }
    }
    Ok((lines, left_out))
}

/// Returns a column's name in lower case, without spaces, `-` and `_`.
fn simplified(name: &str) -> String {
    name.chars().filter(|char| !matches!(char, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns true for a number without leading zeros, as Twitch's identifiers are.
fn is_id(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Finds the Twitch identifiers of the lines' viewers. Leaves out unknown viewers, and those of several lines.
async fn identified(
    lines: Vec<Line>,
    folder: &Path,
    api_url: &str,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Balance>, Error> {
    // A name with other characters would make Twitch refuse the request.
    let is_login =
        |login: &str| login.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && login.len() <= 25;
    let logins: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| match &line.viewer {
            Viewer::Login(login) if is_login(login) => Some(login.clone()),
            _ => None,
        })
        .collect();
    let logins: Vec<_> = logins.into_iter().collect();
    let users = if logins.is_empty() { Vec::new() } else { users_by_login(folder, api_url, &logins).await? };
    let by_login: BTreeMap<_, _> = users.into_iter().map(|user| (user.login.to_lowercase(), user)).collect();
    let mut balances: BTreeMap<String, Vec<Balance>> = BTreeMap::new();
    for Line { number: line, viewer, points } in lines {
        let (platform_id, name) = match viewer {
            Viewer::Id(id, name) => (id, name),
            Viewer::Login(login) => {
                let Some(user) = by_login.get(&login) else {
                    left_out.push((line, format!("Twitch knows no account {login}.")));
                    continue;
                };
                (user.id.clone(), user.display_name.clone())
            }
        };
        balances.entry(platform_id.clone()).or_default().push(Balance { line, platform_id, name, points });
    }
    let mut single = Vec::new();
    for of_viewer in balances.into_values() {
        if of_viewer.len() == 1 {
            single.extend(of_viewer);
        } else {
            left_out
                .extend(of_viewer.iter().map(|balance| (balance.line, format!("{} has several lines.", balance.name))));
        }
    }
    Ok(single)
}

/// Stores a viewer's points, and the viewer if necessary. Returns false if the points were stored before.
async fn store(api: &Api, balance: &Balance) -> Result<Result<bool, LeftOut>, Error> {
    let refused = |reason: String| Ok(Err((balance.line, reason)));
    let path = format!("transactions/{}", Id::derived(&format!("points of {}", balance.platform_id)));
    let earlier = api.get(&path).await?;
    if earlier.status.is_success() {
        let earlier: Value = serde_json::from_slice(&earlier.body)?;
        return match earlier["amount"].as_i64() {
            Some(amount) if amount == balance.points => Ok(Ok(false)),
            amount => refused(format!(
                "{} already got {} points. Change the balance in the console.",
                balance.name,
                amount.unwrap_or_default()
            )),
        };
    }
    let users = format!("users?platform_id={}", balance.platform_id);
    let body = json!({"platform_id": balance.platform_id, "name": balance.name}).to_string();
    let user_id = loop {
        let found: Value = serde_json::from_slice(&api.get(&users).await?.body)?;
        if let Some(id) = found[0]["user_id"].as_u64() {
            break id;
        }
        let created = api.json(Method::POST, "users", &body).await?;
        // Another request may have created the user.
        if !created.status.is_success() && created.code().as_deref() != Some("duplicate_platform_id") {
            return refused(created.explanation());
        }
    };
    let body = json!({"user_id": user_id, "amount": balance.points, "description": "Imported points",
        "reference": null, "cause": null, "created_at": Timestamp::now().to_string()});
    let stored = api.json(Method::PUT, &path, &body.to_string()).await?;
    if stored.status.is_success() { Ok(Ok(true)) } else { refused(stored.explanation()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Vec<(u64, Viewer, i64)>, Vec<u64>) {
        let (lines, left_out) = parse(text, None).expect("a file");
        let lines = lines.into_iter().map(|line| (line.number, line.viewer, line.points)).collect();
        (lines, left_out.into_iter().map(|(line, _)| line).collect())
    }

    fn login(name: &str) -> Viewer {
        Viewer::Login(name.to_owned())
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let id = |id: &str, name: &str| Viewer::Id(id.to_owned(), name.to_owned());
        for (text, expected) in [
            ("Ann,5\n123,7\n", vec![(1, login("ann"), 5), (2, id("123", "123"), 7)]),
            ("\u{feff}Username;Current Points;Hours\r\nAnn;5;1\r\n", vec![(2, login("ann"), 5)]),
            ("Name\tRank\tPoints\tHours\nAnn\tx\t5\t3\n", vec![(2, login("ann"), 5)]),
            ("id,username,points\n123,Ann,5\n,Bob,6\n", vec![(2, id("123", "Ann"), 5), (3, login("bob"), 6)]),
            (
                "ID,TwitchID,TwitchUsername,Points\na-1,0123,ann,5\nb-2,77,bob,6\n",
                vec![(2, login("ann"), 5), (3, id("77", "bob"), 6)],
            ),
            ("sep=;\r\nName;Points\r\nAnn;5\r\n", vec![(3, login("ann"), 5)]),
            ("\"Ann\",\"-5\"\n\n\"@Bob\",0\n", vec![(1, login("ann"), -5)]),
        ] {
            assert_eq!(parsed(text), (expected, vec![]), "{text}");
        }
        let (lines, _) = parse("username,Acorns\nAnn,5\n", Some("acorns")).expect("a file");
        assert_eq!(lines.len(), 1);
        assert!(parse("username,Acorns\nAnn,5\n", Some("coins")).is_err());
        assert!(parse("Rank,Points\n1,5\n", None).is_err());
        assert!(parse("username,Acorns\nAnn,5\n", None).is_err_and(|error| error.to_string().contains("Acorns")));
    }

    #[test]
    fn doubtful_numbers_are_left_out() {
        for number in
            ["\"1,234\"", "1.234", "12.5", "+5", "1e3", "five", "", "9007199254740992", "99999999999999999999"]
        {
            assert_eq!(parsed(&format!("username,points\nAnn,{number}\n")), (vec![], vec![2]), "{number}");
        }
        assert_eq!(parsed("username,points\n,5\n"), (vec![], vec![2]));
    }
}
