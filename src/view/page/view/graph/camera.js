/* Zoom and pan of a picture: wheel, drag, pinch, keys and buttons. The picture is a group inside an SVG element. */
(function () {
    "use strict";

    const LEAST = 0.05, MOST = 4;

    /* Returns { fit(), bring(x, y, w, h), zoom(by), view(), centre(x, y) }. `world()` is the group, `size()` its extent
     * in its own units. `sized()` is called when the viewport has a size, `moved()` whenever the visible part changes.
     */
    trod.camera = (svg, world, size, sized, moved) => {
        let x = 0, y = 0, scale = 1, held = null;
        /* Cached: reading them would force the browser to lay out everything just drawn. */
        const seen = { w: 1, h: 1 };

        new ResizeObserver(([box]) => {
            const first = seen.w === 1;

            Object.assign(seen, { w: box.contentRect.width || 1, h: box.contentRect.height || 1 });
            if (first && world())
                sized();
            moved();
        }).observe(svg);

        const put = () => {
            if (world())
                world().setAttribute("transform", "translate(" + x.toFixed(2) + " " + y.toFixed(2) + ") scale(" + scale.toFixed(4) + ")");
            moved();
        };

        function zoom(by, cx = seen.w / 2, cy = seen.h / 2) {
            const next = Math.max(LEAST, Math.min(MOST, scale * by)), ratio = next / scale;

            x = cx - (cx - x) * ratio;
            y = cy - (cy - y) * ratio;
            scale = next;
            put();
        }

        function pan(dx, dy) {
            x += dx;
            y += dy;
            put();
        }

        /* Show everything, but not smaller than is readable: then the top. */
        function fit(least = 0) {
            const { w, h } = size(), wide = seen.w, high = seen.h;

            scale = Math.max(LEAST, least, Math.min(1.5, (wide - 24) / w, (high - 24) / h));
            x = w * scale < wide ? (wide - w * scale) / 2 : 12;
            y = h * scale < high ? (high - h * scale) / 2 : 12;
            put();
        }

        /* Centre the area unless it is visible already; if it is too large, show its top. */
        function bring(bx, by, bw, bh) {
            const left = bx * scale + x, top = by * scale + y, wide = bw * scale, high = bh * scale;

            if (left < 0 || left + wide > seen.w)
                x = seen.w / 2 - (bx + bw / 2) * scale;
            if (top < 0 || top + high > seen.h)
                y = high < seen.h ? (seen.h - high) / 2 - by * scale : 16 - by * scale;
            put();
        }

        function centre(px, py) {
            x = seen.w / 2 - px * scale;
            y = seen.h / 2 - py * scale;
            put();
        }

        svg.addEventListener("wheel", (event) => {
            const box = svg.getBoundingClientRect();

            event.preventDefault();
            if (event.shiftKey)
                return pan(-event.deltaY - event.deltaX, 0);
            zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
        }, { passive: false });
        svg.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, far: false }; });
        svg.addEventListener("pointermove", (event) => {
            if (!held || !(event.buttons & 1))
                return;
            const dx = event.clientX - held.x, dy = event.clientY - held.y;
            if (!held.far && Math.abs(dx) + Math.abs(dy) < 5)
                return;
            if (!held.far)
                svg.setPointerCapture(event.pointerId);
            held = { x: event.clientX, y: event.clientY, far: true };
            pan(dx, dy);
        });
        /* A drag must not count as a click on the block below. */
        svg.addEventListener("click", (event) => {
            if (held && held.far)
                event.stopPropagation();
            held = null;
        }, true);

        const keys = {
            "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": () => fit(),
            ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
        };
        return { fit, bring, zoom, centre, view: () => ({ x: -x / scale, y: -y / scale, w: seen.w / scale, h: seen.h / scale }), fits: (w, h) => w * scale <= seen.w && h * scale <= seen.h, key: (event) => keys[event.key] && (keys[event.key](), true) };
    };
})();
