"""Import a file into speedscope, and save speedscope's own export of it.

    speedscope.py FOLDER FILE OUT.json

FOLDER is dist/release of the npm package. In a headless Chromium, a page with speedscope loads the file and saves it;
the result is read from the page's document.
"""
import base64
import html
import json
import os
import re
import subprocess
import sys
import tempfile

PAGE = """<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body><pre id="saved"></pre><script>
const saved_text = document.getElementById("saved");
onerror = e => { saved_text.textContent = "error: " + e; };
URL.createObjectURL = blob => { blob.text().then(t => { saved_text.textContent = t; }); return "#saved"; };
</script><script src="%s"></script><script>
const save = () => { saved_text.textContent || dispatchEvent(new KeyboardEvent("keydown", {key: "s", ctrlKey: true})); };
for (let at = 2000; at < 18000; at += 2000)
    setTimeout(save, at);
</script></body></html>
"""


def main():
    folder, name, out = sys.argv[1:]
    script = [f for f in os.listdir(folder) if re.match(r"speedscope-\w+\.js$", f)][0]
    data = base64.b64encode(open(name, "rb").read()).decode()
    # Like speedscope's command line: a script that the page loads.
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=folder) as page, tempfile.TemporaryDirectory() as home:
        page.write(PAGE % script)
        page.flush()
        load = os.path.join(home, "load.js")
        open(load, "w").write("speedscope.loadFileFromBase64(%s, \"%s\")" % (json.dumps(os.path.basename(name)), data))
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader",
                               "--user-data-dir=" + home, "--virtual-time-budget=20000", "--dump-dom", "file://%s#localProfilePath=%s" % (page.name, load)],
                              capture_output=True, text=True, timeout=300, check=False)
    saved = re.search(r'<pre id="saved"[^>]*>(.*?)</pre>', done.stdout, re.S)
    text = html.unescape(saved[1]) if saved else ""
    try:
        json.loads(text)
    except ValueError:
        print("speedscope read nothing:", text[:300] or done.stdout[-300:] + done.stderr[-300:])
        sys.exit(1)
    open(out, "w", encoding="utf-8").write(text)


main()
