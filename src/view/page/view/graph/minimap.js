/* A small overview of the drawing with the visible part marked. Click or drag to move. Shown only if the drawing does
 * not fit.
 */
(function () {
    "use strict";

    const { make } = trod;
    const WIDE = 120, HIGH = 100;

    /* `camera` reports the visible part, and moves it. */
    trod.minimap = (camera) => {
        const canvas = make("canvas", { id: "graph-map", "aria-hidden": "true", hidden: true });
        let picture = null, scale = 1;

        function draw() {
            if (!picture)
                return;
            const pen = canvas.getContext("2d"), ratio = devicePixelRatio || 1, colours = trod.colours(), { blocks, heat, lit, w, h } = picture, view = camera.view();

            scale = Math.min(WIDE / w, HIGH / h);
            Object.assign(canvas, { width: Math.max(8, w * scale) * ratio, height: Math.max(8, h * scale) * ratio });
            Object.assign(canvas.style, { width: Math.max(8, w * scale) + "px", height: Math.max(8, h * scale) + "px" });
            pen.scale(ratio * scale, ratio * scale);
            blocks.forEach(([x, y, bw, bh], b) => {
                pen.fillStyle = lit.has(b) ? colours.lit : heat[b] ? colours.heat[Math.max(3, heat[b])] : colours.faint;
                pen.fillRect(x - bw / 2, y - bh / 2, Math.max(bw, 1.5 / scale), Math.max(bh, 1.5 / scale));
            });
            pen.strokeStyle = colours.text;
            pen.lineWidth = 1.5 / scale;
            pen.strokeRect(Math.max(view.x, 0), Math.max(view.y, 0), Math.min(view.w, w - Math.max(view.x, 0)), Math.min(view.h, h - Math.max(view.y, 0)));
            trod.show(canvas, view.x > 1 || view.y > 1 || view.x + view.w < w - 1 || view.y + view.h < h - 1);
        }

        function go(event) {
            const box = canvas.getBoundingClientRect();

            camera.centre((event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
        }

        canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); go(event); });
        canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) go(event); });
        canvas.addEventListener("wheel", (event) => { camera.zoom(Math.exp(-event.deltaY * 0.0015)); event.preventDefault(); }, { passive: false });
        document.addEventListener("trod-theme", () => trod.soon("minimap", draw));
        return { node: canvas, show: (next) => { picture = next; trod.show(canvas, false); trod.soon("minimap", draw); }, moved: () => trod.soon("minimap", draw) };
    };
})();
