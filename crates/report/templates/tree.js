// Draws the tree of choices on a canvas: only what is in view, so that size does not matter.
(() => {
  const ROW = 22;
  const WAIT = 11, GONE = 12, FOLDED = 13, CLOSED = 14, FAIL = 9, ASSUMED = 10;
  const KINDS = ["branch", "switch", "value made concrete", "assumption", "question"];
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("tree-data").textContent);
  const box = byId("tree-box"), space = byId("tree-space"), canvas = byId("tree-canvas");
  const info = byId("tree-info"), search = byId("tree-search"), hitWords = byId("tree-hits");
  const brush = canvas.getContext("2d");

  // One entry for each node, in preorder; `first` and `second` depend on the node's code.
  const code = [], way = [], first = [], second = [], parent = [], kids = [], end = [];
  {
    const bytes = atob(data.nodes);
    let at = 0;
    const int = () => {
      let value = 0, scale = 1, byte;
      do {
        byte = bytes.charCodeAt(at++);
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte & 128);
      return value;
    };
    const open = [], left = [];
    while (at < bytes.length) {
      while (open.length && left[left.length - 1] === 0) {
        end[open.pop()] = code.length;
        left.pop();
      }
      const node = code.length, what = int();
      code.push(what);
      way.push(int() - 1);
      parent.push(open.length ? open[open.length - 1] : -1);
      if (left.length) left[left.length - 1]--;
      first.push(what === WAIT || what === CLOSED ? 0 : int());
      second.push(what < 8 || what === FAIL || what === FOLDED ? int() : 0);
      kids.push(what < 8 ? int() : 0);
      end.push(node + 1);
      if (kids[node]) {
        open.push(node);
        left.push(kids[node]);
      }
    }
    while (open.length) end[open.pop()] = code.length;
  }
  const count = code.length;
  const weight = new Float64Array(count), bad = new Float64Array(count), paths = new Float64Array(count);
  const start = new Float64Array(count), depth = new Int32Array(count);
  const row = new Int32Array(count), head = new Int32Array(count), chain = new Int32Array(count);
  for (let node = count - 1; node >= 0; node--) {
    const what = code[node];
    if (what >= 8) {
      paths[node] = what === FOLDED ? first[node] : what === WAIT || what === GONE || what === CLOSED ? 0 : 1;
      weight[node] = Math.max(1, paths[node]);
      bad[node] = what === FOLDED ? second[node] : what === FAIL ? 1 : 0;
    }
    if (!weight[node]) weight[node] = 1;
    if (node) {
      weight[parent[node]] += weight[node];
      paths[parent[node]] += paths[node];
      bad[parent[node]] += bad[node];
    }
  }
  {
    const next = new Float64Array(count);
    for (let node = 0; node < count; node++) {
      const above = parent[node];
      start[node] = above < 0 ? 0 : next[above];
      depth[node] = above < 0 ? 0 : depth[above] + 1;
      if (above >= 0) next[above] += weight[node];
      next[node] = start[node];
    }
  }
  const all = count ? weight[0] : 1;
  let from = 0, wide = all, chosen = -1, hits = [], isHit = new Uint8Array(count), hitAt = -1;

  function layOut() {
    const fold = byId("tree-fold").checked;
    let last = 0;
    chain.fill(1);
    for (let node = 0; node < count; node++) {
      const above = parent[node];
      const joined = fold && above >= 0 && kids[above] === 1 && code[node] < 8;
      row[node] = above < 0 ? 0 : row[above] + (joined ? 0 : 1);
      head[node] = joined ? head[above] : node;
      if (joined) chain[head[node]]++;
      last = Math.max(last, row[node]);
    }
    space.style.height = (last + 1) * ROW + 8 + "px";
  }

  const base = (file) => file.split("/").pop();
  function place(node) {
    const [file, line, name] = data.sites[first[node]];
    const known = data.files[file] ? base(data.files[file]) : "a place that is not known";
    const where = line ? `${known}:${line}` : known;
    return [where, data.functions[name]];
  }
  function wayName(node) {
    const above = parent[node], taken = way[node];
    if (above < 0) return "";
    if (code[above] === 2) {
      if (taken < 0) return "any other value";
      if (taken % 2) return data.values[(taken - 1) / 2];
      return `value ${taken < 131072 ? taken / 2 : "0x" + (taken / 2).toString(16)}`;
    }
    if (code[above] === 1) return `case ${taken + 1}`;
    return taken === 0 ? "true" : "false";
  }
  function label(node) {
    switch (code[node]) {
      case 8: return `run ${first[node]}`;
      case FAIL: return `run ${first[node]} fails`;
      case ASSUMED: return `run ${first[node]} dismissed`;
      case WAIT: return "waits";
      case CLOSED: return "closed";
      case GONE: return "undecided";
      case FOLDED: return `${first[node]} paths`;
      default: return place(node)[0] + (chain[node] > 1 ? ` +${chain[node] - 1}` : "");
    }
  }

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    return {
      text: get("--text"), card: get("--card"), soft: get("--soft"), line: get("--line"), dim: get("--dim"),
      accent: get("--accent"), hit: get("--accent-soft"), bad: get("--bad"), ok: get("--ok"),
      gone: get("--gone"), fold: get("--fold"), page: get("--page"),
    };
  }
  function fill(node, paint) {
    switch (code[node]) {
      case 8: return paint.ok;
      case FAIL: return paint.bad;
      case ASSUMED: case WAIT: case CLOSED: return paint.card;
      case GONE: return paint.gone;
      case FOLDED: return paint.fold;
      default: return paint.soft;
    }
  }

  function draw() {
    const width = box.clientWidth, height = box.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      canvas.style.height = height + "px";
    }
    const paint = colours(), scale = width / wide, top = box.scrollTop;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, width, height);
    brush.font = "12px ui-monospace, Menlo, Consolas, monospace";
    brush.textBaseline = "middle";
    const full = [];
    let node = 0;
    while (node < count) {
      const x = (start[node] - from) * scale, size = weight[node] * scale;
      const y = row[node] * ROW - top;
      if (x > width || x + size < 0 || y > height) {
        node = end[node];
        continue;
      }
      if (head[node] === node && y > -ROW) {
        const begin = Math.max(0, x), room = Math.min(width, x + size) - begin;
        const pixel = Math.floor(begin);
        // What is narrower than a pixel is drawn once for each pixel.
        if (size >= 1 || full[row[node]] !== pixel) {
          full[row[node]] = pixel;
          cell(node, begin, y, room, size, paint);
        }
      }
      node = size < 0.25 ? end[node] : node + 1;
    }
  }
  function cell(node, x, y, room, size, paint) {
    const tall = ROW - 2, gap = size > 4 ? 1 : 0;
    const broad = Math.max(room - gap, 0.7);
    brush.fillStyle = isHit[node] ? paint.hit : fill(node, paint);
    brush.fillRect(x, y + 1, broad, tall);
    if (size > 4) {
      brush.strokeStyle = node === chosen || isHit[node] ? paint.accent : paint.line;
      brush.lineWidth = node === chosen ? 2 : 1;
      brush.setLineDash(code[node] === WAIT ? [3, 2] : []);
      brush.strokeRect(x + 0.5, y + 1.5, Math.max(broad - 1, 0.5), tall - 1);
      brush.setLineDash([]);
    }
    if (bad[node] && code[node] !== FAIL) {
      brush.fillStyle = paint.bad;
      brush.fillRect(x, y + tall - 1, broad, 2);
    }
    if (room > 34) {
      brush.fillStyle = code[node] === FAIL && !isHit[node] ? paint.page : paint.text;
      const letters = Math.floor((room - 10) / 7.25);
      let words = label(node);
      const taken = wayName(node);
      if (taken && taken.length + words.length + 3 <= letters) words = `${taken} · ${words}`;
      if (words.length > letters) words = letters > 3 ? words.slice(0, letters - 1) + "…" : "";
      brush.fillText(words, x + 5, y + ROW / 2 + 0.5);
    }
  }

  let asked = false;
  function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  }

  function tell() {
    if (chosen < 0) {
      info.textContent = "Nothing selected.";
      return;
    }
    const what = code[chosen], words = [];
    if (what < 8) {
      const [where, name] = place(chosen);
      words.push(`Choice ${depth[chosen] + 1}: ${KINDS[what]} at ${where}${name ? " in " + name : ""}.`);
      if (chain[chosen] > 1) words.push(`${chain[chosen] - 1} more choices follow with one way each.`);
      words.push(`${paths[chosen]} paths below${bad[chosen] ? `, ${bad[chosen]} fail` : ""}.`);
      if (second[chosen]) words.push(`${second[chosen]} of its ways proved impossible.`);
    } else if (what === WAIT) words.push("An alternative that waits to be tried.");
    else if (what === CLOSED) words.push("An alternative that was closed without a run: nothing lies there that was not seen elsewhere.");
    else if (what === GONE) words.push(`An alternative that was not decided: ${data.reasons[first[chosen]]}.`);
    else if (what === FOLDED) words.push(`${first[chosen]} paths that are left out of this page${second[chosen] ? `, ${second[chosen]} of them fail` : ""}.`);
    else {
      words.push(`A path of ${depth[chosen]} choices, first taken by run ${first[chosen]}.`);
      if (what === FAIL) words.push(`It fails: finding ${second[chosen]}.`);
      if (what === ASSUMED) words.push("An assumption did not hold.");
      words.push(`elsewise replay run:${first[chosen]}`);
    }
    const taken = wayName(chosen);
    if (taken) words.push(`Reached by “${taken}” at ${place(parent[chosen])[0]}.`);
    info.textContent = words.join(" ");
    if (what === FAIL && byId(`finding-${second[chosen]}`)) {
      const link = document.createElement("a");
      link.href = `#finding-${second[chosen]}`;
      link.textContent = " Show the finding";
      info.append(link);
    }
  }
  function choose(node) {
    chosen = head[node];
    const scale = box.clientWidth / wide;
    if (weight[chosen] * scale < 24) zoom(Math.max(weight[chosen] * 12, 4), start[chosen] + weight[chosen] / 2);
    else if (start[chosen] < from || start[chosen] + Math.min(weight[chosen], wide) > from + wide + 1e-9) {
      zoom(wide, start[chosen] + weight[chosen] / 2);
    }
    const y = row[chosen] * ROW;
    if (y < box.scrollTop || y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 3;
    tell();
    redraw();
  }
  function zoom(size, middle) {
    wide = Math.min(all, Math.max(size, 1));
    from = Math.min(Math.max(0, middle - wide / 2), all - wide);
    redraw();
  }
  const enlarge = (node) => zoom(weight[node], start[node] + weight[node] / 2);
  function at(event) {
    const rect = canvas.getBoundingClientRect();
    const x = from + ((event.clientX - rect.left) / rect.width) * wide;
    const wanted = Math.floor((event.clientY - rect.top + box.scrollTop) / ROW);
    let node = 0;
    while (node < count) {
      if (x < start[node] || x >= start[node] + weight[node] || row[node] > wanted) node = end[node];
      else if (row[node] === wanted && head[node] === node) return node;
      else node++;
    }
    return -1;
  }
  canvas.addEventListener("click", (event) => {
    const node = at(event);
    if (node < 0) return;
    if (node === chosen) enlarge(node);
    choose(node);
  });
  canvas.addEventListener("mousemove", (event) => {
    const node = at(event);
    canvas.title = node < 0 ? "" : [wayName(node), label(node)].filter(Boolean).join(" · ");
  });
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const rect = canvas.getBoundingClientRect();
    const share = (event.clientX - rect.left) / rect.width, fixed = from + share * wide;
    const size = Math.min(all, Math.max(1, wide * Math.exp(event.deltaY / 300)));
    zoom(size, fixed + (0.5 - share) * size);
  }, { passive: false });
  box.addEventListener("scroll", redraw);
  const below = (node) => {
    let child = node + 1;
    while (child < end[node] && head[child] === head[node]) child++;
    return child < end[node] ? child : -1;
  };
  function beside(node, step) {
    let above = parent[node];
    if (above < 0) return -1;
    let before = -1;
    for (let child = above + 1; child < end[above]; child = end[child]) {
      if (step > 0 && before === node) return child;
      if (step < 0 && child === node) return before;
      before = child;
    }
    return -1;
  }
  box.addEventListener("keydown", (event) => {
    let to = -1;
    switch (event.key) {
      case "ArrowUp": to = chosen < 0 ? 0 : parent[chosen]; break;
      case "ArrowDown": to = chosen < 0 ? 0 : below(chosen); break;
      case "ArrowLeft": to = chosen < 0 ? 0 : beside(chosen, -1); break;
      case "ArrowRight": to = chosen < 0 ? 0 : beside(chosen, 1); break;
      case "Enter": if (chosen >= 0) enlarge(chosen); break;
      case "Escape": zoom(all, all / 2); break;
      default: return;
    }
    event.preventDefault();
    if (to >= 0 && to < count) choose(to);
  });

  function find() {
    const words = search.value.trim().toLowerCase();
    isHit = new Uint8Array(count);
    hits = [];
    hitAt = -1;
    const exact = /^(run|finding)\s*(\d+)$/.exec(words);
    const sites = data.sites.map(([file, line, name]) =>
      words !== "" && `${data.files[file]}:${line} ${data.functions[name]}`.toLowerCase().includes(words));
    for (let node = 0; node < count && words; node++) {
      const what = code[node];
      const same = exact
        ? (exact[1] === "run" ? what >= 8 && what <= ASSUMED && first[node] === Number(exact[2]) : what === FAIL && second[node] === Number(exact[2]))
        : what < 8 && sites[first[node]];
      if (!same || isHit[head[node]]) continue;
      isHit[head[node]] = 1;
      hits.push(head[node]);
    }
    hitWords.textContent = words ? `${hits.length} found` : "";
    redraw();
  }
  function next() {
    if (!hits.length) return;
    hitAt = (hitAt + 1) % hits.length;
    hitWords.textContent = `${hitAt + 1} of ${hits.length}`;
    choose(hits[hitAt]);
  }
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") next(); });
  byId("tree-next").addEventListener("click", next);
  byId("tree-out").addEventListener("click", () => zoom(all, all / 2));
  byId("tree-fold").addEventListener("change", () => {
    layOut();
    if (chosen >= 0) chosen = head[chosen];
    find();
    tell();
  });
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  layOut();
  draw();
  // For those who measure how long a page takes to be ready.
  performance.mark("tree-drawn");
  document.documentElement.dataset.nodes = count;
})();
