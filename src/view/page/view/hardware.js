/* The contents of a hardware table by window, above the paths that really ran, and the overlap of both. */
(function () {
    "use strict";

    const { make, id } = trod;
    const ROW = 22, NAMES = 260, CHART = 64;
    let hardware = null, entries = [], canvas = null, at = null, most = 1; /* entries: those in scope */

    const cell_width = (width) => Math.max(3, (width - NAMES - 8) / Math.max(1, hardware.windows));

    /* --- the picture ------------------------------------------------------------------------------------- */

    function paint_overlap(pen, wide, colours) {
        const { overlap } = hardware, y = (share) => CHART - 14 - (CHART - 24) * Math.max(0, Math.min(1, share || 0));

        pen.strokeStyle = colours.line;
        pen.lineWidth = 1;
        for (const share of [0, 0.5, 1]) {
            pen.beginPath();
            pen.moveTo(NAMES, y(share) + 0.5);
            pen.lineTo(NAMES + wide * hardware.windows, y(share) + 0.5);
            pen.stroke();
            pen.fillStyle = colours.faint;
            pen.textAlign = "right";
            pen.fillText(100 * share + "%", NAMES - 6, y(share));
        }
        pen.strokeStyle = colours.lit;
        pen.lineWidth = 2;
        pen.beginPath();
        (overlap || []).forEach((share, i) => pen[i ? "lineTo" : "moveTo"](NAMES + (i + 0.5) * wide, y(share)));
        pen.stroke();
        pen.textAlign = "left";
        pen.fillStyle = colours.text;
        pen.fillText("overlap", 4, y(0.5));
    }

    /* Upper half: the table's contents. Lower half: what ran. */
    function paint_entry(pen, entry, row, wide, colours) {
        const y = CHART + row * ROW, gap = wide > 6 ? 1 : 0;

        pen.save();
        pen.beginPath();
        pen.rect(0, y, NAMES - 8, ROW);
        pen.clip();
        pen.fillStyle = colours.text;
        pen.fillText(name_of(entry), 4, y + ROW / 2);
        pen.restore();
        for (let i = 0; i < hardware.windows; i++) {
            pen.fillStyle = colours.heat[trod.heat(entry.held[i], most)];
            pen.fillRect(NAMES + i * wide, y + 1, wide - gap, ROW / 2 - 2);
            pen.fillStyle = colours.heat[trod.heat(entry.really[i], most)];
            pen.fillRect(NAMES + i * wide, y + ROW / 2, wide - gap, ROW / 2 - 2);
        }
    }

    function name_of(entry) {
        const known = entry.function !== null && entry.function !== undefined;

        return (known ? trod.data.functions[entry.function].name + " " : entry.name ? entry.name + " " : "") + entry.text;
    }

    function narrow() {
        entries = trod.in_scope(hardware.entries, (entry) => [entry.function]).map((i) => hardware.entries[i]);
        at = null;
        put_title();
        trod.soon("hardware", paint);
    }

    function put_title() {
        const title = hardware.design + ", " + trod.plural(hardware.windows, "window") + " of " + trod.number(hardware.window) + " instructions; above: what the table held, below: what really ran.";

        trod.text(id("hardware-wording"), title + trod.hidden_wording(hardware.entries.length - entries.length, "path"));
    }

    function paint() {
        if (!trod.is_seen("hardware") || !id("hardware-box").clientWidth)
            return;
        const width = Math.max(id("hardware-box").clientWidth, NAMES + 3 * hardware.windows), ratio = devicePixelRatio || 1;
        const height = CHART + entries.length * ROW + 4, colours = trod.colours(), pen = canvas.getContext("2d"), wide = cell_width(width);
        Object.assign(canvas, { width: width * ratio, height: Math.min(height, 16000) * ratio });
        Object.assign(canvas.style, { width: width + "px", height: Math.min(height, 16000) + "px" });
        pen.scale(ratio, ratio);
        pen.font = "12px " + colours.font;
        pen.textBaseline = "middle";
        paint_overlap(pen, wide, colours);
        entries.forEach((entry, row) => paint_entry(pen, entry, row, wide, colours));
        if (at) {
            pen.strokeStyle = colours.lit;
            pen.lineWidth = 2;
            pen.strokeRect(NAMES + at.window * wide, CHART + at.row * ROW, wide - 1, ROW - 1);
        }
    }

    /* --- what is said of a cell --------------------------------------------------------------------------- */

    function wording({ row, window }) {
        const entry = entries[row], held = entry.held[window], overlap = (hardware.overlap || [])[window];

        return [name_of(entry), "window " + (window + 1) + " of " + hardware.windows + (overlap === undefined ? "" : ", overlap " + trod.share(overlap)),
            held ? "held: " + trod.number(held) : "not in the table", "really: " + trod.number(entry.really[window] || 0)];
    }

    function cell_at(event) {
        const box = canvas.getBoundingClientRect(), wide = cell_width(box.width);
        const row = Math.floor((event.clientY - box.top - CHART) / ROW), window = Math.floor((event.clientX - box.left - NAMES) / wide);

        return row >= 0 && row < entries.length && window < hardware.windows && event.clientX > box.left ? { row, window: Math.max(0, window) } : null;
    }

    function key_down(event) {
        const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], k: [-1, 0], j: [1, 0] }[event.key];

        if (event.key === "Enter" && at)
            return open_function(at);
        if (!step || event.ctrlKey || event.metaKey || event.altKey || !entries.length)
            return;
        const next = at ? { row: at.row + step[0], window: at.window + step[1] } : { row: 0, window: 0 };
        at = { row: Math.max(0, Math.min(entries.length - 1, next.row)), window: Math.max(0, Math.min(hardware.windows - 1, next.window)) };
        trod.say(wording(at).join(", "));
        trod.text(id("hardware-wording"), wording(at).join(" · "));
        trod.soon("hardware", paint);
        event.preventDefault();
        event.stopPropagation();
    }

    function open_function({ row }) {
        const f = entries[row].function;

        if (f !== null && f !== undefined)
            trod.choose_function(f);
    }

    function listen() {
        canvas.addEventListener("keydown", key_down);
        canvas.addEventListener("pointermove", (event) => {
            const cell = cell_at(event);

            if (cell)
                trod.tip(event, wording(cell));
            else
                trod.untip();
        });
        canvas.addEventListener("pointerleave", trod.untip);
        canvas.addEventListener("click", (event) => {
            at = cell_at(event);
            if (at)
                open_function(at);
            trod.soon("hardware", paint);
        });
        document.addEventListener("trod-theme", () => trod.soon("hardware", paint));
        new ResizeObserver(() => trod.soon("hardware", paint)).observe(id("hardware-box"));
    }

    trod.put_hardware = () => {
        hardware = trod.data.hardware;
        if (!hardware)
            return;
        for (const entry of hardware.entries)
            for (let i = 0; i < hardware.windows; i++)
                most = Math.max(most, entry.held[i] || 0, entry.really[i] || 0);
        canvas = make("canvas", { id: "hardware-map", tabindex: "0", role: "application", "aria-label": "What the table held: arrows move, Enter shows the function" });
        trod.add_tab("hardware", "hardware", make("div", null, make("div", { class: "bar-top" }, make("span", { id: "hardware-wording", class: "quiet" })), make("div", { id: "hardware-box" }, canvas)), paint);
        listen();
        trod.on("at sys", narrow);
        trod.places["view-hardware"] = () => canvas.focus();
    };
})();
