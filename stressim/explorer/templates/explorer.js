"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const { games, choices, numbers, deals } = data;
const slider = choices.length - 1;
const $ = (id) => document.getElementById(id);

// The numbers: columns of Rice-coded steps, see stressim/explorer/packing.py and page.py for their order.

const sizes = choices.map((choice) => choice.values.length);
const size = games.length * sizes.reduce((product, n) => product * n, 1);

function unpack([lag, bits, text], n) {
  const found = new Int32Array(n);
  let at = 0;
  const bit = () => {
    const value = data.alphabet.indexOf(text[Math.floor(at / 6)]);
    return (value >> (5 - (at++ % 6))) & 1;
  };
  const plain = (count) => {
    let value = 0;
    for (let k = 0; k < count; k++) value = value * 2 + bit();
    return value;
  };
  for (let place = 0; place < n; place++) {
    let ones = 0;
    while (ones < data.escape && bit()) ones++;
    const step = ones === data.escape ? plain(32) : ones * 2 ** bits + plain(bits);
    found[place] = (place >= lag ? found[place - lag] : 0) + (step % 2 ? -(step + 1) / 2 : step / 2);
  }
  return found;
}

const broken = unpack(data.broken, size);
const rowOf = new Int32Array(size);
let nRows = 0;
broken.forEach((reason, place) => { rowOf[place] = reason ? -1 : nRows++; });
const columns = data.columns.map((column) => unpack(column, nRows));
const FIRST = 4, METRICS = FIRST + 3, DOTS = METRICS + 6 * numbers.length, N_DOTS = 20, STALLS = DOTS + N_DOTS;

const place = ({ game, values }) => values.reduce((sum, value, k) => sum * sizes[k] + value, game);
const baseOf = (game) => ({ game, values: [...games[game].base] });
const same = (one, other) => place(one) === place(other);
const isBase = (state) => same(state, baseOf(state.game));

function limits(row, column) {
  const value = columns[column][row], below = columns[column + 1][row], more = columns[column + 2][row];
  if (below === -2) return { value: null, low: null, high: null };
  if (below === -1) return { value, low: null, high: null };
  return { value, low: value - below, high: value + below + more };
}

const metric = (state, number) => limits(rowOf[place(state)], METRICS + 6 * number);

// What a combination has more than its game as it is, with the limits of the paired interval.
function pairedChange(state, number) {
  const row = rowOf[place(state)], column = METRICS + 6 * number;
  const expected = (metric(state, number).value || 0) - (metric(baseOf(state.game), number).value || 0);
  const below = columns[column + 4][row], more = columns[column + 5][row];
  const value = columns[column + 3][row] + expected;
  if (below === -2) return { value: null, low: null, high: null };
  if (below === -1) return { value, low: null, high: null };
  return { value, low: value - below, high: value + below + more };
}

const isPaired = (one, other) => one.game === other.game && (isBase(one) || isBase(other));

function difference(one, other, number) {
  if (isPaired(one, other)) {
    if (isBase(other)) return pairedChange(one, number);
    const { value, low, high } = pairedChange(other, number);
    const minus = (x) => (x === null ? null : -x);
    return { value: minus(value), low: minus(high), high: minus(low) };
  }
  const a = metric(one, number), b = metric(other, number);
  if (a.value === null || b.value === null) return { value: null, low: null, high: null };
  const value = a.value - b.value;
  if (a.low === null || b.low === null) return { value, low: null, high: null };
  // Two intervals that know nothing of one another: their halves add up as squares (Newcombe 1998).
  const down = Math.round(Math.hypot(a.value - a.low, b.high - b.value));
  const up = Math.round(Math.hypot(a.high - a.value, b.value - b.low));
  return { value, low: value - down, high: value + up };
}

function running(row, first, n) {
  let sum = 0;
  return Array.from({ length: n }, (_, k) => (sum += columns[first + k][row]));
}

function facts(state) {
  const row = rowOf[place(state)];
  const dots = running(row, DOTS, N_DOTS);
  const atMost = [...running(row, STALLS, columns.length - STALLS), 1000];
  return {
    players: columns[0][row], alike: columns[1][row] === 1, dots, atMost,
    median: columns[2][row] + dots[9], most: columns[3][row] + dots[18], first: limits(row, FIRST),
  };
}

// Words

function fixed(units, decimals) {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = decimals ? "." + digits.slice(-decimals) : "";
  return (units < 0 ? "-" : "") + whole + rest;
}
const text = (number, units) => (units === null ? "none" : fixed(units, number.decimals) + (number.share ? " %" : ""));
const signed = (number, units) => (units > 0 ? "+" : "") + fixed(units, number.decimals);
const interval = (number, { low, high }) =>
  low === null ? "too few deals" : `${fixed(low, number.decimals)} to ${text(number, high)}`;

function clock(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`;
  return seconds >= 60 ? `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s` : `${seconds} s`;
}
const mark = (seconds) => seconds >= 3600
  ? `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} h`
  : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function ofHundred(thousandths) {
  if (thousandths <= 0) return "fewer than 0.1 of 100";
  return thousandths >= 1000 ? "more than 99.9 of 100" : `${fixed(thousandths, 1)} of 100`;
}
const capital = (words) => words[0].toUpperCase() + words.slice(1);

const byName = (name) => numbers.findIndex((number) => number.name === name);
const [STALLED, STALLS_EACH, SHARE, LENGTH, SKEW] =
  ["stalled", "stalls", "stall_share", "length_s", "win_skew"].map(byName);

function sayStalls(state) {
  const stalled = metric(state, STALLED);
  if (stalled.value === 0 && metric(state, STALLS_EACH).value === 0) return `Hardly any of the ${fixed(deals, 0)} deals stalls.`;
  const each = text(numbers[STALLS_EACH], metric(state, STALLS_EACH).value);
  return `${capital(ofHundred(stalled.value))} deals stall, ${each} times a deal: ` +
    `${text(numbers[SHARE], metric(state, SHARE).value)} of the time.`;
}
const sayLength = ({ median, most }) =>
  `Half of the deals are over in ${clock(median)}; 19 of 20 in ${clock(most)}.`;

function sayFairness({ players, alike, first }) {
  if (first.value === null) return "No deal has a winner.";
  if (first.low === null) return `Too few deals have a winner to say; player 1 wins ${fixed(first.value, 1)} of 100 of them.`;
  const wins = ({ value, low, high }) => `${fixed(value, 1)} of 100 won deals (${fixed(low, 1)} to ${fixed(high, 1)})`;
  const equal = Math.round(1000 / players);
  const share = players > 2 ? `; an equal share is ${fixed(equal, 1)}` : "";
  const sure = first.low > equal ? 1 : first.high < equal ? -1 : 0;
  if (alike && !sure) return `No seat advantage found: player 1 wins ${wins(first)}${share}.`;
  if (alike) {
    return `Player 1 wins ${wins(first)}${share}, although the players are equal. ` +
      "Chance alone does that in 1 of 20 combinations.";
  }
  if (!sure) return `No difference found between the players: player 1 wins ${wins(first)}${share}.`;
  if (players > 2) return `Player 1 wins ${wins(first)}${share}.`;
  if (sure > 0) return `Player 1 beats player 2: ${wins(first)}.`;
  return `Player 2 beats player 1: ${wins({ value: 1000 - first.value, low: 1000 - first.high, high: 1000 - first.low })}.`;
}

function nameOf(state) {
  const own = games[state.game].base;
  const changed = choices.filter((_, k) => state.values[k] !== own[k]);
  const said = changed.map((choice) => `${choice.ask}: ${choice.values[state.values[choices.indexOf(choice)]].say}`);
  return games[state.game].label + (said.length ? ` with ${said.join("; ")}` : " as the text has it");
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'"'"'`)}'`);
function command(state) {
  const own = games[state.game].base;
  const chosen = choices.map((choice, k) => (state.values[k] === own[k] ? null : choice.values[state.values[k]]));
  const parts = (key, option) =>
    chosen.flatMap((value) => (value ? value[key].map((change) => ` ${option} ${quoted(change)}`) : [])).join("");
  // The game's own changes stand first, as they are made first.
  const [head, counts] = games[state.game].command.split(/(?= --deals )/);
  const [rules, players] = head.split(/(?= --player )(.*)/s);
  return rules + parts("sets", "--set") + (players || "") + parts("players", "--player") + counts;
}

// Pictures

const SVG = "http://www.w3.org/2000/svg";
function draw(parent, tag, attributes, content) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  parent.append(made);
  return made;
}

function canvas(figure, height, title) {
  const width = Math.max(260, Math.min(736, figure.clientWidth || 600));
  figure.replaceChildren();
  const svg = draw(figure, "svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  draw(svg, "title", {}, title);
  return [svg, width];
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
  const rows = [[mine, "this", "this", "this rule"], ...(theirs ? [[theirs, "a-dot", "a", "A"]] : [])];
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
  draw(svg, "text", { x: x(to), y: bottom + 34, class: "quiet", "text-anchor": "end" }, "minutes:seconds; each dot is 1 of 20 deals");
}

function axis(svg, from, to, step, x, y, say) {
  draw(svg, "line", { x1: x(from), x2: x(to), y1: y, y2: y, class: "axis" });
  for (let at = from; at <= to + step / 1e6; at += step) {
    draw(svg, "line", { x1: x(at), x2: x(at), y1: y, y2: y + 4, class: "axis" });
    draw(svg, "text", { x: x(at), y: y + 17, class: "quiet", "text-anchor": "middle" }, say(at));
  }
}

function drawStalls(state, other, holds) {
  // Bars up to where all but one in a hundred deals lie, and one for the rest.
  const reach = (one) => facts(one).atMost.findIndex((sum) => sum >= 990) + 1;
  const asked = Math.floor(Number($("stalls-at").value)) + 1;
  const n = Math.min(facts(state).atMost.length, Math.max(5, reach(state), other ? reach(other) : 0, asked + 1));
  const shares = (one) => facts(one).atMost.slice(0, n - 1).concat(1000).map((sum, k, list) => sum - (k ? list[k - 1] : 0));
  const mine = shares(state), theirs = other ? shares(other) : null;
  const [svg, width] = canvas($("stalls-plot"), 168, "Share of deals with each number of stalls");
  const top = Math.max(...mine, ...(theirs || []), 50), bar = (width - 48) / n;
  const x = (k) => 38 + bar * k, y = (share) => 134 - (share / top) * 106;
  const step = tickStep(top / 10, 3, UNITS) * 10;
  for (let share = 0; share <= top; share += step) {
    draw(svg, "text", { x: 34, y: y(share) + 4, class: "quiet", "text-anchor": "end" }, `${share / 10} %`);
  }
  for (let k = 0; k < n; k++) {
    if (mine[k]) draw(svg, "rect", { x: x(k) + 1.5, width: Math.max(1, bar - 3), y: y(mine[k]), height: 134 - y(mine[k]),
      class: holds(k) ? "this" : "other" });
    if (theirs) draw(svg, "line", { x1: x(k), x2: x(k + 1), y1: y(theirs[k]), y2: y(theirs[k]), class: "a-line" });
    const every = Math.ceil(20 / bar);
    if (k === n - 1 || (k % every === 0 && k + every / 2 < n - 1)) {
      draw(svg, "text", { x: x(k + 0.5), y: 150, class: "quiet", "text-anchor": "middle" }, k === n - 1 ? `${k}+` : k);
    }
  }
  draw(svg, "line", { x1: x(0), x2: x(n), y1: 134, y2: 134, class: "axis" });
  draw(svg, "text", { x: x(n), y: 165, class: "quiet", "text-anchor": "end" }, "stalls in a deal");
  draw(svg, "text", { x: x(0), y: 12, class: "this-text" }, "bars: this rule");
  if (theirs) draw(svg, "text", { x: x(0) + 96, y: 12, class: "a-text" }, "dashes: A");
}

function alongSlider(state, number) {
  return choices[slider].values.map((_, k) => {
    const there = { game: state.game, values: [...state.values.slice(0, slider), k] };
    return broken[place(there)] ? { value: null, low: null, high: null } : metric(there, number);
  });
}

function drawSlider(state, other, number) {
  const lines = [[alongSlider(state, number), "this", "this rule"]];
  const otherMoves = other && !same({ ...other, values: [...other.values.slice(0, slider), state.values[slider]] }, state);
  if (otherMoves) lines.push([alongSlider(other, number), "a", "A"]);
  const about = numbers[number], values = choices[slider].values;
  const [svg, width] = canvas($("slider-plot"), 220, `${about.name} over ${choices[slider].ask}`);
  const shown = lines.flatMap(([points]) => points.flatMap(({ value, low, high }) => [value, low, high].filter((v) => v !== null)));
  if (!shown.length) return;
  const span = Math.max(...shown) - Math.min(...shown) || 1;
  const step = tickStep(span * 1.1, 5, UNITS);
  let from = Math.floor(Math.min(...shown) / step) * step;
  const to = Math.ceil(Math.max(...shown) / step) * step + (span === 1 ? step : 0);
  if (from > 0 && from < to / 4) from = 0;
  const left = 62, right = width - 78;
  const x = (k) => left + ((right - left) * k) / Math.max(1, values.length - 1);
  const y = (units) => 172 - ((units - from) / (to - from)) * 150;
  for (let at = from; at <= to; at += step) {
    draw(svg, "line", { x1: left - 6, x2: right + 6, y1: y(at), y2: y(at), class: "axis", opacity: 0.25 });
    draw(svg, "text", { x: left - 10, y: y(at) + 4, class: "quiet", "text-anchor": "end" }, text(about, at));
  }
  draw(svg, "line", { x1: x(state.values[slider]), x2: x(state.values[slider]), y1: 16, y2: 178, class: "here" });
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
  draw(svg, "text", { x: (left + right) / 2, y: 212, class: "quiet", "text-anchor": "middle" }, choices[slider].ask);
  draw(svg, "text", { x: left - 10, y: 10, class: "quiet", "text-anchor": "start" }, about.share ? `${about.name}, % ${about.unit}` : `${about.name}, ${about.unit}`);
}

// The page

let state = baseOf(0), pinned = null;
const other = () => pinned || baseOf(state.game);

const compare = { "at-most": (x, limit) => x <= limit, "at-least": (x, limit) => x >= limit };
function lengthHolds(seconds) {
  const at = Number($("length-at").value), how = $("length-how").value;
  // Nobody times a deal to the second: "exactly" is to the nearest ten.
  return how === "exactly" ? Math.round(seconds / 10) * 10 === Math.round(at / 10) * 10 : compare[how](seconds, at);
}
function stallsHold(count) {
  const at = Number($("stalls-at").value), how = $("stalls-how").value;
  return how === "exactly" ? count === at : compare[how](count, at);
}

function showRanges(one) {
  const { dots, atMost } = facts(one);
  const n = dots.filter(lengthHolds).length;
  const exactly = $("length-how").value === "exactly" ? " (to the nearest ten seconds)" : "";
  $("length-says").textContent = `about ${n} of 20 deals${exactly}`;
  const at = Math.max(0, Math.min(atMost.length - 2, Math.floor(Number($("stalls-at").value))));
  const below = at ? atMost[at - 1] : 0;
  const share = { "at-most": atMost[at], "at-least": 1000 - below, exactly: atMost[at] - below }[$("stalls-how").value];
  const certain = $("stalls-how").value === "at-least" && at === 0;
  $("stalls-says").textContent = certain ? "all deals" : `${ofHundred(share)} deals`;
}

function pictures() {
  const beside = same(state, other()) ? null : other();
  drawLengths(state, beside, lengthHolds);
  drawStalls(state, beside, stallsHold);
  drawSlider(state, beside, Number($("number").value));
}

function table() {
  const beside = other(), paired = isPaired(state, beside), alone = same(state, beside);
  $("head-pinned").textContent = pinned ? "A" : "the text's rule";
  $("head-difference").textContent = alone ? "difference" : `difference (${paired ? "paired" : "unpaired"})`;
  $("numbers-caption").textContent = (pinned ? `A is ${nameOf(pinned)}. ` : `The text's rule is ${nameOf(beside)}. `) + (alone
    ? "It is what is shown, so nothing differs."
    : paired
      ? "Differences are paired, deal by deal: both have played the same deals."
      : "Differences are unpaired: only with a game as its text has it has each deal been compared, so these intervals are wider than they need be.");
  const body = $("numbers").tBodies[0];
  numbers.forEach((number, k) => {
    const mine = metric(state, k), theirs = metric(beside, k), gap = difference(state, beside, k);
    const points = number.share ? " pp" : "";
    const cells = [text(number, mine.value), mine.value === null ? "" : interval(number, mine), text(number, theirs.value)];
    let change = "";
    if (!alone && gap.value !== null) {
      const verdict = gap.low === null ? "too few deals" : gap.low > 0 ? "more" : gap.high < 0 ? "fewer" : "no difference found";
      const range = gap.low === null ? "" : ` (${signed(number, gap.low)} to ${signed(number, gap.high)})`;
      change = [`${signed(number, gap.value)}${points}${range}`, verdict];
    }
    let row = body.rows[k];
    if (!row) {
      row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      const about = `${number.share ? "% " : ""}${number.unit}. ${number.meaning}`;
      head.append(number.name, Object.assign(document.createElement("small"), { textContent: about }));
      row.append(head);
      for (let cell = 0; cell < 4; cell++) row.insertCell();
    }
    cells.forEach((words, cell) => { row.cells[cell + 1].textContent = words; });
    row.cells[4].replaceChildren(...(change
      ? [change[0], Object.assign(document.createElement("small"), { textContent: change[1] })] : []));
  });
}

function controls() {
  for (const input of document.querySelectorAll('input[type="radio"]')) {
    const value = Number(input.value);
    if (input.name === "game") {
      input.checked = value === state.game;
      continue;
    }
    const k = choices.findIndex((choice) => choice.name === input.name);
    const there = { game: state.game, values: state.values.map((old, at) => (at === k ? value : old)) };
    input.checked = state.values[k] === value;
    input.disabled = broken[place(there)] > 0;
    input.closest("label").classList.toggle("own", games[state.game].base[k] === value);
  }
  choices.forEach((choice, k) => {
    if (k === slider) return;
    const refused = choice.values.flatMap((value, at) => {
      const reason = broken[place({ game: state.game, values: state.values.map((old, here) => (here === k ? at : old)) })];
      return reason ? [`“${value.say}” does not go together with the rest: ${data.reasons[reason - 1]}.`] : [];
    });
    const why = $(`why-${k}`);
    why.textContent = refused.join(" ");
    why.hidden = !refused.length;
  });
  const now = choices[slider].values[state.values[slider]];
  $("slider").value = state.values[slider];
  $("slider").setAttribute("aria-valuetext", now.say);
  $("slider-says").textContent = now.say;
  $("slider-own").textContent = `The text's own: ${choices[slider].values[games[state.game].base[slider]].say}`;
  $("pin").disabled = pinned !== null && same(pinned, state);
  $("unpin").disabled = pinned === null;
  $("reset").disabled = isBase(state);
}

// A state in words, as links have it: names and not numbers, so that a link outlives a new value in the middle.
const spelled = (one) => [games[one.game].label, ...one.values.map((value, k) => choices[k].values[value].name)];
function fragment() {
  const words = spelled(state), parts = [["game", words[0]], ...choices.map((choice, k) => [choice.name, words[k + 1]])];
  parts.push(["number", numbers[Number($("number").value)].name]);
  parts.push(["length", `${$("length-how").value}.${$("length-at").value}`], ["stalls", `${$("stalls-how").value}.${$("stalls-at").value}`]);
  if (pinned) parts.push(["a", spelled(pinned).join("~")]);
  return "#" + new URLSearchParams(parts).toString();
}

function read(words) {
  const game = games.findIndex(({ label }) => label === words[0]);
  const values = choices.map((choice, k) => choice.values.findIndex(({ name }) => name === words[k + 1]));
  if (game < 0 || values.includes(-1) || broken[place({ game, values })]) return null;
  return { game, values };
}

function readRange(name, words) {
  const found = /^(at-most|at-least|exactly)\.(\d{1,5})$/.exec(words || "");
  if (!found) return;
  $(`${name}-how`).value = found[1];
  $(`${name}-at`).value = found[2];
}

function fromLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("game")) return false;
  const read1 = read([given.get("game"), ...choices.map(({ name }) => given.get(name))]);
  const readA = given.has("a") ? read(given.get("a").split("~")) : null;
  state = read1 || baseOf(0);
  pinned = readA;
  $("number").value = Math.max(0, byName(given.get("number")));
  readRange("length", given.get("length"));
  readRange("stalls", given.get("stalls"));
  $("done").textContent = read1 && (readA || !given.has("a")) ? "" : "The link names something that this page does not have.";
  return true;
}

function show() {
  const now = facts(state);
  controls();
  const sentences = { "say-stalls": sayStalls(state), "say-length": sayLength(now), "say-fairness": sayFairness(now) };
  // What has not changed stays, so that a screen reader does not say it again.
  for (const [id, words] of Object.entries(sentences)) if ($(id).textContent !== words) $(id).textContent = words;
  $("set-beside").textContent = `${nameOf(state)} · ${fixed(deals, 0)} deals`;
  $("summary").textContent = `${ofHundred(metric(state, STALLED).value)} stall · half over in ${clock(now.median)} · ` +
    (now.first.value === null ? "no winner" : `player 1 wins ${fixed(now.first.value, 1)} of 100`);
  showRanges(state);
  pictures();
  table();
  $("command").textContent = command(state);
  $("link-shown").hidden = true;
  history.replaceState(null, "", fragment());
}

function toGame(game) {
  const wanted = { game, values: state.values };
  // What a player has changed goes along, where it can; what he has not is the other game's own.
  const own = games[state.game].base, theirs = games[game].base;
  wanted.values = state.values.map((value, k) => (value === own[k] ? theirs[k] : value));
  const fits = !broken[place(wanted)];
  state = fits ? wanted : baseOf(game);
  return fits;
}

$("choices").addEventListener("change", ({ target }) => {
  $("done").textContent = "";
  if (target.name === "game") {
    if (!toGame(Number(target.value))) $("done").textContent = "Those choices do not go together in this game; shown is its text's rule.";
  } else if (target.type === "radio") {
    state.values[choices.findIndex((choice) => choice.name === target.name)] = Number(target.value);
  }
  show();
});
$("slider").addEventListener("input", () => {
  const value = Number($("slider").value);
  const there = { game: state.game, values: [...state.values.slice(0, slider), value] };
  if (!broken[place(there)]) state = there;
  show();
});
$("choices").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["length-how", "stalls-how", "number"]) $(id).addEventListener("change", show);
for (const id of ["length-at", "stalls-at"]) $(id).addEventListener("input", show);
$("pin").addEventListener("click", () => {
  pinned = { game: state.game, values: [...state.values] };
  show();
  $("done").textContent = `Pinned as A: ${nameOf(pinned)}.`;
});
$("unpin").addEventListener("click", () => {
  pinned = null;
  show();
  $("done").textContent = "A is the text's rule again.";
  $("pin").focus();
});
$("reset").addEventListener("click", () => {
  state = baseOf(state.game);
  show();
  $("done").textContent = "Shown is the text's rule.";
});
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    $("done").textContent = "The link is copied.";
  } catch {
    // A page opened from a file may not be allowed to; then the link is there to be copied by hand.
    $("link").value = location.href;
    $("link-shown").hidden = false;
    $("link").focus();
    $("link").select();
    $("done").textContent = "Copy the marked link.";
  }
});
addEventListener("hashchange", () => { if (fromLink()) show(); });
let width = 0;
addEventListener("resize", () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  pictures();
});

// A slider whose ticks start at what the first game has, ranges in the middle of what it comes to.
const start = facts(state);
$("length-at").value = Math.round(start.median / 10) * 10;
$("stalls-at").value = Math.min(start.atMost.length - 2, start.atMost.findIndex((sum) => sum >= 500));
$("number").value = Math.max(0, STALLS_EACH);
fromLink();
$("explorer").hidden = false;
show();
})();
