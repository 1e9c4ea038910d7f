/* Builds the page from its data. Errors are shown in the page instead of an empty window. */
(function () {
    "use strict";

    const { id } = trod, root = document.documentElement;

    /* Only the first error is shown; later ones usually follow from it. */
    function fail(message) {
        const box = id("wrong");

        if (root.dataset.trodError !== undefined)
            return;
        root.dataset.trodError = message;
        box.textContent = "This page cannot be shown: " + message;
        box.hidden = false;
    }

    function put_all() {
        trod.put_tabs();
        trod.put_header();
        trod.put_functions();
        trod.put_paths();
        trod.put_prefixes();
        trod.put_compare();
        trod.put_spans();
        trod.put_tables();
        trod.put_hardware();
        trod.put_source();
        trod.put_graph();
        trod.put_keys();
    }

    /* The initial view: the hottest path, unless the address says otherwise; if no paths were counted, what was
     * counted.
     */
    function choose_first() {
        const { paths, functions, spans, tables } = trod.data;

        if (!paths.n && !location.hash && (spans.length || tables.length))
            trod.set({ tab: spans.length ? "spans0" : "table0" });
        const scope = trod.scope(trod.state), seen = (f) => !scope || scope[f] === 1;
        const p = paths.of.findIndex(seen), f = functions.findIndex((_, one) => seen(one));
        if (trod.state.f < 0 && p >= 0)
            trod.choose_path(p);
        else if (trod.state.f < 0 && f >= 0)
            trod.set({ f });
    }

    /* Data of large pages are compressed: gzip, in base64. */
    async function unpacked(text) {
        if (typeof DecompressionStream === "undefined")
            throw new Error("this browser cannot unpack its data; use one from 2023 or later, or write the page with trod html --no-compress");
        const packed = atob(text), bytes = new Uint8Array(packed.length);

        for (let i = 0; i < bytes.length; i++)
            bytes[i] = packed.charCodeAt(i);
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    }

    function start(text) {
        trod.take(text);
        put_all();
        trod.open_address();
        choose_first();
        requestAnimationFrame(() => {
            root.dataset.trodReady = "1";
            performance.mark("trod-ready");
            trod.idle(() => { trod.put_paper(); trod.tell_ahead(); });
        });
    }

    /* Browsers report a size notification that is delayed by one frame as an error; it is harmless. */
    const is_harmless = (message) => /^ResizeObserver loop/.test(message);

    addEventListener("error", (event) => is_harmless(event.message) || fail(event.message));
    const data = id("trod-data");
    if (data.type === "application/gzip")
        unpacked(data.textContent).then((text) => { data.textContent = ""; start(text); }).catch((e) => { fail(e.message); console.error(e); });
    else
        try {
            start(data.textContent);
        } catch (e) {
            fail(e.message);
            throw e;
        }
})();
