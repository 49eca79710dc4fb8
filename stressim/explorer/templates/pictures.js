// What is drawn.
const SVG = "http://www.w3.org/2000/svg";
function draw(parent, tag, attributes, content) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  parent.append(made);
  return made;
}

const widthOf = (figure) => Math.max(260, Math.min(736, figure.clientWidth || 600));
function canvas(figure, height, title) {
  const width = widthOf(figure);
  figure.replaceChildren();
  const svg = draw(figure, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  draw(svg, "title", {}, title);
  return [svg, width];
}

// Words in as many lines as a width needs; letters of twelve pixels are seven wide or less.
function inLines(words, width) {
  return words.split(" ").reduce((lines, word) => {
    const longer = `${lines[lines.length - 1]} ${word}`;
    return longer.length * 7 <= width ? [...lines.slice(0, -1), longer.trim()] : [...lines, word];
  }, [""]);
}

// A step for ticks so that at most so many fit.
function tickStep(span, most, steps) {
  return steps.find((step) => span / step <= most) || steps[steps.length - 1] * Math.ceil(span / steps[steps.length - 1] / most);
}
const SECONDS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000];
const UNITS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000];

function stacks(dots, reach) {
  const found = [];
  dots.forEach((value, k) => {
    const last = found[found.length - 1];
    if (last && value - last[0].value < reach) last.push({ value, k });
    else found.push([{ value, k }]);
  });
  return found;
}

function drawLengths(state, other, holds) {
  const mine = facts(state), theirs = other && facts(other);
  const all = [...mine.dots, ...(theirs ? theirs.dots : [])];
  const [svg, width] = canvas($("length-plot"), theirs ? 226 : 146,
    `Lengths of 20 deals that stand for all, from ${clock(mine.dots[0])} to ${clock(mine.dots[19])}; the middle one ${clock(mine.median)}`);
  const step = tickStep(Math.max(...all) - Math.min(...all) || 1, width / 70, SECONDS);
  const from = Math.floor(Math.min(...all) / step) * step, to = Math.ceil((Math.max(...all) + 1) / step) * step;
  const x = (seconds) => 14 + ((seconds - from) / (to - from)) * (width - 40);
  const rows = [[mine, "this", "this", "this rule"], ...(theirs ? [[theirs, "a-dot", "a", called()]] : [])];
  rows.forEach(([one, style, who, label], row) => {
    const floor = 104 + 78 * row, top = floor - (row ? 64 : 84);
    const reach = (11 * (to - from)) / (width - 40);
    const piles = stacks(one.dots, reach);
    const gap = Math.min(11, (floor - top - 14) / Math.max(...piles.map((pile) => pile.length)));
    piles.forEach((pile) => {
      const middle = x((pile[0].value + pile[pile.length - 1].value) / 2);
      pile.forEach(({ value }, level) => draw(svg, "circle", {
        cx: middle, cy: floor - 6 - gap * level, r: 4.6, class: who === "this" ? (holds(value) ? "this" : "other") : style,
      }));
    });
    draw(svg, "line", { x1: x(one.median), x2: x(one.median), y1: top - 4, y2: floor, class: "here" });
    const late = x(one.median) > width - 170;
    draw(svg, "text", { x: x(one.median) + (late ? -5 : 5), y: top + 4, class: `${who}-text`, "text-anchor": late ? "end" : "start" },
      `${label}: half over in ${mark(one.median)}`);
  });
  const bottom = 104 + 78 * (rows.length - 1);
  axis(svg, from, to, step, x, bottom, mark);
  draw(svg, "text", { x: x(to), y: bottom + 34, class: "quiet", "text-anchor": "end" }, 
    `${to >= 3600 ? "min:s or h:min h" : "minutes:seconds"}; each dot is 1 of 20 deals`);
}

function axis(svg, from, to, step, x, y, say) {
  draw(svg, "line", { x1: x(from), x2: x(to), y1: y, y2: y, class: "axis" });
  for (let at = from; at <= to + step / 1e6; at += step) {
    draw(svg, "line", { x1: x(at), x2: x(at), y1: y, y2: y + 4, class: "axis" });
    draw(svg, "text", { x: x(at), y: y + 17, class: "quiet", "text-anchor": "middle" }, say(at));
  }
}

function drawStalls(state, other, holds) {
  // Both in the wider bins of the two: each width is a multiple of the narrower ones.
  const both = other ? [facts(state), facts(other)] : [facts(state)];
  const bin = Math.max(...both.map((one) => one.width));
  const sums = both.map((one) => one.atMost.filter((_, k) => ((k + 1) * one.width) % bin === 0));
  // Bars up to where all but one in a hundred deals lie, and one for the rest; a bar beyond what is known is not drawn.
  const reach = (list) => { const at = list.findIndex((sum) => sum >= 990); return (at < 0 ? list.length : at) + 2; };
  const n = Math.min(Math.max(...sums.map((list) => list.length)) + 1, Math.max(5, ...sums.map(reach), binAsked(bin) + 2));
  const [mine, theirs] = sums.map((list) => Array.from({ length: n }, (_, k) =>
    (k < n - 1 ? list[k] ?? 1000 : 1000) - (k ? list[k - 1] ?? 1000 : 0)));
  const [svg, width] = canvas($("stalls-plot"), 168, "Share of deals with each number of stalls");
  const top = Math.max(...mine, ...(theirs || []), 50), bar = (width - 48) / n;
  const x = (k) => 38 + bar * k, y = (share) => 134 - (share / top) * 106;
  const step = tickStep(top / 10, 3, UNITS) * 10;
  for (let share = 0; share <= top; share += step) {
    draw(svg, "text", { x: 34, y: y(share) + 4, class: "quiet", "text-anchor": "end" }, `${share / 10} %`);
  }
  for (let k = 0; k < n; k++) {
    if (mine[k]) draw(svg, "rect", { x: x(k) + 1.5, width: Math.max(1, bar - 3), y: y(mine[k]), height: 134 - y(mine[k]),
      class: holds(k, bin) ? "this" : "other" });
    if (theirs && theirs[k]) draw(svg, "line", { x1: x(k), x2: x(k + 1), y1: y(theirs[k]), y2: y(theirs[k]), class: "a-line" });
    const says = fixed(k * bin, 0), every = Math.ceil((10 + 7 * fixed((n - 1) * bin, 0).length) / bar);
    // A bar of several numbers has the first of them at its left edge.
    if (k === n - 1 || (k % every === 0 && k + 0.75 * every <= n - 1)) {
      draw(svg, "text", { x: x(k === n - 1 || bin === 1 ? k + 0.5 : k), y: 150, class: "quiet", "text-anchor": "middle" },
        k === n - 1 ? `${says}+` : says);
    }
  }
  draw(svg, "line", { x1: x(0), x2: x(n), y1: 134, y2: 134, class: "axis" });
  draw(svg, "text", { x: x(n), y: 165, class: "quiet", "text-anchor": "end" },
    bin === 1 ? "stalls in a deal" : `stalls in a deal, ${fixed(bin, 0)} numbers to a bar`);
  draw(svg, "text", { x: x(0), y: 12, class: "this-text" }, "bars: this rule");
  if (theirs) draw(svg, "text", { x: x(0) + 96, y: 12, class: "a-text" }, `dashes: ${called()}`);
}

function alongSlider(state, number) {
  return choices[slider].values.map((_, k) => {
    const there = { game: state.game, values: [...state.values.slice(0, slider), k] };
    if (broken[place(there)]) return { value: null, low: null, high: null };
    const { won, endings } = facts(there);
    return { ...metric(there, number), endings, winnerless: isWinnerless({ won }) };
  });
}

function drawSlider(state, other, number) {
  const lines = [[alongSlider(state, number), "this", "this rule"]];
  const otherMoves = other && !same({ ...other, values: [...other.values.slice(0, slider), state.values[slider]] }, state);
  if (otherMoves) lines.push([alongSlider(other, number), "a", called()]);
  const about = numbers[number], values = choices[slider].values;
  const ask = inLines(choices[slider].ask, widthOf($("slider-plot")));
  const [svg, width] = canvas($("slider-plot"), 206 + 14 * ask.length, `${about.name} over ${choices[slider].ask}`);
  const shown = lines.flatMap(([points]) => points.flatMap(({ value, low, high }) => [value, low, high].filter((v) => v !== null)));
  if (!shown.length) return;
  const span = Math.max(...shown) - Math.min(...shown) || 1;
  const step = tickStep(span * 1.1, 5, UNITS);
  let from = Math.floor(Math.min(...shown) / step) * step;
  const to = Math.ceil(Math.max(...shown) / step) * step + (span === 1 ? step : 0);
  if (from > 0 && from < to / 4) from = 0;
  const left = 62, right = width - 104;
  const x = (k) => left + ((right - left) * k) / Math.max(1, values.length - 1);
  const y = (units) => 172 - ((units - from) / (to - from)) * 150;
  for (let at = from; at <= to; at += step) {
    draw(svg, "line", { x1: left - 6, x2: right + 6, y1: y(at), y2: y(at), class: "axis", opacity: 0.25 });
    draw(svg, "text", { x: left - 10, y: y(at) + 4, class: "quiet", "text-anchor": "end" },
      text(about, at).replace(/\.0+(?= |$)/, ""));
  }
  draw(svg, "line", { x1: x(state.values[slider]), x2: x(state.values[slider]), y1: 16, y2: 178, class: "here" });
  // How deals end says itself which of them have no winner; every other number must be told where that is so.
  const marked = !["won", ...data.endings.map(({ name }) => name)].includes(about.name);
  const ends = [];
  for (const [points, who, label] of lines) {
    const runs = [];
    points.forEach((point, k) => {
      if (point.value === null) return;
      if (k && points[k - 1].value !== null && runs.length) runs[runs.length - 1].push({ ...point, k });
      else runs.push([{ ...point, k }]);
    });
    for (const run of runs) {
      const banded = run.filter(({ low }) => low !== null);
      const edge = [...banded.map(({ k, high }) => `${x(k)},${y(high)}`), ...banded.reverse().map(({ k, low }) => `${x(k)},${y(low)}`)];
      draw(svg, "polygon", { points: edge.join(" "), class: `${who}-band` });
      draw(svg, "polyline", { points: run.map(({ k, value }) => `${x(k)},${y(value)}`).join(" "), class: `${who}-line` });
      run.forEach(({ k, value }) => draw(svg, "circle", { cx: x(k), cy: y(value), r: 3.5, class: who === "this" ? "this" : "a-dot" }));
      for (const { k, value } of run.filter(({ winnerless }) => marked && winnerless)) {
        draw(svg, "path", { d: `M${x(k) - 6},${y(value) - 6}l12,12m0,-12l-12,12`, class: `${who}-cross` });
      }
      ends.push([y(run[run.length - 1].value), who, label]);
    }
  }
  ends.sort((one, next) => one[0] - next[0]);
  ends.forEach(([at, who, label], k) => {
    ends[k][0] = k && at - ends[k - 1][0] < 14 ? ends[k - 1][0] + 14 : at;
    draw(svg, "text", { x: right + 10, y: ends[k][0] + 4, class: `${who}-text` }, label);
  });
  values.forEach((value, k) => {
    const every = Math.ceil((values.length * 44) / (right - left));
    if (k % every === 0) draw(svg, "text", { x: x(k), y: 192, class: "quiet", "text-anchor": "middle" }, value.name);
  });
  ask.forEach((line, k) => draw(svg, "text", { x: width / 2, y: 212 + 14 * k, class: "quiet", "text-anchor": "middle" }, line));
  draw(svg, "text", { x: left - 10, y: 10, class: "quiet", "text-anchor": "start" }, about.share ? `${about.name}, % ${about.unit}` : `${about.name}, ${about.unit}`);
  const crossed = marked ? lines.flatMap(([points]) => points.filter(({ value, winnerless }) => value !== null && winnerless)) : [];
  const endings = data.endings.map((_, k) => crossed.reduce((sum, point) => sum + point.endings[k], 0));
  $("slider-warning").textContent = crossed.length
    ? `A cross: 1 of 100 deals or more have no winner there; the number is that of ${ofWhich({ won: 0, endings })}.`
    : "";
}
