/* Helpers that all other files use. `trod` is the only global name that this page adds. Text from outside (names,
 * sources, notes) is inserted as text nodes and attributes, never as markup.
 */
const trod = { places: {} };

(function () {
    "use strict";

    const SVG = "http://www.w3.org/2000/svg";

    function fill(node, attributes, children) {
        for (const [name, value] of Object.entries(attributes || {})) {
            if (value === null || value === undefined || value === false)
                continue;
            if (name.startsWith("on"))
                node.addEventListener(name.slice(2), value);
            else if (name === "style")
                node.style.cssText = value;
            else
                node.setAttribute(name, value === true ? "" : value);
        }
        for (const child of children.flat())
            if (child !== null && child !== undefined && child !== false)
                node.append(child);
        return node;
    }

    trod.make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
    trod.draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
    trod.id = (id) => document.getElementById(id);

    /* Setting an equal text again would force another layout. */
    trod.text = (node, text) => {
        if (node.textContent !== text)
            node.textContent = text;
    };

    trod.show = (node, shown) => {
        if (node.hidden === shown)
            node.hidden = !shown;
    };

    /* Announce a text to screen readers. */
    trod.say = (text) => trod.text(trod.id("say"), text);

    /* --- numbers ---------------------------------------------------------------------------------------- */

    const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
    const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

    trod.count = (n) => (trod.data && !trod.data.exact ? "~" : "") + grouped.format(n);
    trod.number = (n) => grouped.format(n);
    trod.short = (n) => (trod.data && !trod.data.exact ? "~" : "") + (n < 10000 ? grouped.format(n) : short.format(n));
    trod.times = (n) => trod.count(n) + (n === 1 ? " time" : " times");
    trod.plural = (n, word) => grouped.format(n) + " " + word + (n === 1 ? "" : "s");

    trod.share = (part) => {
        const percent = 100 * part;

        if (!(percent > 0))
            return "0%";
        return percent < 0.01 ? "<0.01%" : percent.toFixed(percent < 0.995 ? 2 : 1) + "%";
    };

    /* 0: it did not run; 1 to 8: logarithmic scale, each step a little more than three times the one before. */
    trod.heat = (count, most) => {
        if (!(count > 0))
            return 0;
        return Math.max(1, Math.min(8, 8 - Math.round(2 * Math.log10(Math.max(most, count) / count))));
    };

    /* --- time ------------------------------------------------------------------------------------------- */

    const waiting = new Map();
    let asked = false;

    function paint() {
        const jobs = [...waiting.values()];

        asked = false;
        waiting.clear();
        for (const job of jobs)
            job();
    }

    /* Run a job before the next frame, once, however often it is requested. */
    trod.soon = (name, job) => {
        waiting.set(name, job);
        if (!asked) {
            asked = true;
            requestAnimationFrame(paint);
        }
    };

    const channel = new MessageChannel();
    const parts = [];
    channel.port1.onmessage = () => parts.shift()();

    /* Run long work in slices of some milliseconds: `step` does a part and returns whether there is more. The returned
     * function cancels it.
     */
    trod.slices = (step, done) => {
        let stopped = false;

        function part() {
            const until = performance.now() + 10;

            while (!stopped) {
                if (!step())
                    return done && done();
                if (performance.now() > until) {
                    parts.push(part);
                    return channel.port2.postMessage(0);
                }
            }
        }
        part();
        return () => { stopped = true; };
    };

    trod.idle = (job) => (window.requestIdleCallback || ((f) => setTimeout(f, 50)))(job, { timeout: 2000 });

    /* --- words beside the pointer ------------------------------------------------------------------------ */

    trod.tip = (event, lines) => {
        const tip = trod.id("tip");

        tip.replaceChildren(...lines.map((line, i) => trod.make("div", { class: i ? "" : "first" }, line)));
        tip.hidden = false;
        const box = tip.getBoundingClientRect();
        tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
        tip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 18) + "px";
    };
    trod.untip = () => { trod.id("tip").hidden = true; };

    /* Colours are defined in the style sheets, also for canvases. */
    trod.colours = () => {
        const style = getComputedStyle(document.documentElement);
        const of = (name) => style.getPropertyValue(name).trim();

        return {
            heat: Array.from({ length: 9 }, (_, i) => of("--heat-" + i)),
            ink: Array.from({ length: 9 }, (_, i) => of("--heat-ink-" + i) || of("--ink")),
            back: of("--back"), text: of("--ink"), faint: of("--faint"), line: of("--line"), lit: of("--lit"),
            litback: of("--lit-back"), font: of("--sans"), mono: of("--mono"),
        };
    };
})();
