"""Tests of a user's own pages: in the folder of `--pages`, and as local files, with the client as one file."""

from conftest import Service, Watch

ADD = """
  const user = { platform_id: String(Math.random()), name: "Ann" };
  const event = { event_type: "cheer", amount: 5, user, user_name: "Ann", occurred_at: new Date().toISOString() };
  await service.post("/events", event);
  document.title = `${(await service.get("/events")).length} events after ${await service.head() >= 0}`;
"""
MODULE = f"""<!doctype html><script type="module">
  import {{ Client }} from "/shared/client.js";
  const service = new Client(location.origin);{ADD}
</script>"""
CLASSIC = """<!doctype html><script src="%s/shared/client.global.js"></script><script>
  (async () => { const service = new EventCapture.Client("%s");%s })();
</script>"""


def titled(browser, url, title):
    page = browser.new_page()
    watch = Watch(page)
    page.goto(url)
    page.wait_for_function(f"document.title === {title!r}")
    return watch


def test_a_page_in_the_folder_and_a_local_file_use_the_service(browser, tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text(MODULE)
    service = Service(tmp_path / "data", "--pages", pages, "--allow-origin", "null")
    try:
        titled(browser, f"{service.base}/pages/", "1 events after true").check(service)
        local = tmp_path / "local.html"
        local.write_text(CLASSIC % (service.base, service.base, ADD))
        titled(browser, local.as_uri(), "2 events after true")
    finally:
        service.stop()
