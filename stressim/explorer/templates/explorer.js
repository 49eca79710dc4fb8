// The page: controls, links, and what is shown when one of them changes.
let state = baseOf(0), pinned = null;
const other = () => pinned || baseOf(state.game);
const called = () => (pinned ? "A" : `the ${ownOf(state)}'s rule`);

const compare = { "at-most": (x, limit) => x <= limit, "at-least": (x, limit) => x >= limit };
function lengthHolds(seconds) {
  const at = Number($("length-at").value), how = $("length-how").value;
  // Nobody times a deal to the second: "exactly" is to the nearest ten.
  return how === "exactly" ? Math.round(seconds / 10) * 10 === Math.round(at / 10) * 10 : compare[how](seconds, at);
}
// The last bin that is meant by "at most", the first one by "at least", the one meant by "exactly".
function binAsked(width) {
  const at = Math.max(0, Number($("stalls-at").value)), how = $("stalls-how").value;
  if (how === "at-least") return Math.ceil(at / width);
  return how === "at-most" ? Math.max(0, Math.floor((at + 1) / width) - 1) : Math.floor(at / width);
}
function stallsHold(bin, width) {
  const at = binAsked(width), how = $("stalls-how").value;
  return how === "exactly" ? bin === at : compare[how](bin, at);
}

function showRanges(one) {
  const { dots, atMost, width } = facts(one);
  const n = dots.filter(lengthHolds).length;
  const exactly = $("length-how").value === "exactly" ? " (to the nearest ten seconds)" : "";
  $("length-says").textContent = `about ${n} of 20 deals${exactly}`;
  // Deals are counted in bins: where they are wide, it is said of which numbers of stalls the answer is.
  const at = Math.min(atMost.length - 1, binAsked(width)), how = $("stalls-how").value;
  const below = at ? atMost[at - 1] : 0;
  const share = { "at-most": atMost[at], "at-least": 1000 - below, exactly: atMost[at] - below }[how];
  const [first, last] = [at * width, at * width + width - 1].map((count) => fixed(count, 0));
  const bins = { "at-most": `up to ${last}`, "at-least": `${first} or more`, exactly: `${first} to ${last}` }[how];
  const certain = how === "at-least" && at === 0;
  $("stalls-at").max = width * atMost.length - 1;
  $("stalls-says").textContent = (certain ? "all deals" : `${ofHundred(share, data.step)} deals`) + (width > 1 ? ` (${bins}, counted in steps of ${width})` : "");
}

function pictures() {
  const beside = same(state, other()) ? null : other();
  drawLengths(state, beside, lengthHolds);
  drawStalls(state, beside, stallsHold);
  drawSlider(state, beside, Number($("number").value));
  for (const name of ["length-warning", "stalls-warning"]) $(name).textContent = warnings(state, beside);
}

function table() {
  const beside = other(), paired = isPaired(state, beside), alone = same(state, beside);
  $("head-pinned").textContent = called();
  $("head-difference").textContent = alone ? "difference" : `difference (${paired ? "paired" : "unpaired"})`;
  $("numbers-caption").textContent = (pinned ? `A is ${nameOf(pinned)}. ` : `${capital(called())} is ${nameOf(beside)}. `) + (alone
    ? "It is what is shown, so nothing differs."
    : paired
      ? "Differences are paired, deal by deal: both have played the same deals."
      : "Differences are unpaired: only with a game as it is has each deal been compared, so these intervals are wider than they need be.") +
    (warnings(state, alone ? null : beside) && ` ${warnings(state, alone ? null : beside)}`);
  const body = $("numbers").tBodies[0];
  numbers.forEach((number, k) => {
    const mine = metric(state, k), theirs = metric(beside, k), gap = difference(state, beside, k);
    const points = number.share ? " pp" : "";
    const cells = [text(number, mine.value), mine.value === null ? "" : interval(number, mine), text(number, theirs.value)];
    let change = "";
    if (!alone && gap.value !== null) {
      const verdict = gap.low === null ? "too few deals" : gap.low > 0 ? "more" : gap.high < 0 ? "fewer" : "no difference found";
      const range = gap.low === null ? [] : [`${signed(number, gap.low)} to ${signed(number, gap.high)}`];
      change = [`${signed(number, gap.value)}${points}`, ...range, verdict];
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
    const [gain, ...small] = change;
    row.cells[4].replaceChildren(...(change
      ? [gain, ...small.map((words) => Object.assign(document.createElement("small"), { textContent: words }))] : []));
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
  $("slider-own").textContent = `The ${ownOf(state)}'s own: ${choices[slider].values[games[state.game].base[slider]].say}`;
  $("own-says").textContent = `marks what the game's own ${ownOf(state)} says.`;
  $("reset").textContent = `Back to the ${ownOf(state)}'s rules`;
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
  const sentences = { "say-ending": sayEnding(now), "say-stalls": sayStalls(state), "say-length": sayLength(now), "say-fairness": sayFairness(now) };
  // What has not changed stays, so that a screen reader does not say it again.
  for (const [id, words] of Object.entries(sentences)) if ($(id).textContent !== words) $(id).textContent = words;
  $("set-beside").textContent = `${nameOf(state)} · ${fixed(deals, 0)} deals`;
  $("summary").textContent = `${ofDeals(now.won)} won · ${ofDeals(now.stalled)} stall · half over in ${clock(now.median)} · ` +
    (now.first.value === null ? "no winner" : `player 1 wins ${fixed(now.first.value, 1)} of 100`);
  showRanges(state);
  pictures();
  table();
  $("command").textContent = command(state);
  $("command-where").hidden = !games[state.game].file;
  $("link-shown").hidden = true;
  try {
    history.replaceState(null, "", fragment());
  } catch {
    // Some browsers allow only so many in a while of sliding; the link is written again with the next change.
  }
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
    if (!toGame(Number(target.value))) $("done").textContent = `Those choices do not go together in this game; shown is the ${ownOf(state)}'s rule.`;
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
  $("done").textContent = `A is the ${ownOf(state)}'s rule again.`;
  $("pin").focus();
});
$("reset").addEventListener("click", () => {
  state = baseOf(state.game);
  show();
  $("done").textContent = `Shown is the ${ownOf(state)}'s rule.`;
});
$("copy").addEventListener("click", async () => {
  const link = location.href.split("#")[0] + fragment();
  try {
    await navigator.clipboard.writeText(link);
    $("done").textContent = "The link is copied.";
  } catch {
    // A page opened from a file may not be allowed to; then the link is there to be copied by hand.
    $("link").value = link;
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
$("stalls-at").value = start.width * Math.max(0, start.atMost.findIndex((sum) => sum >= 500));
$("number").value = Math.max(0, STALLS_EACH);
fromLink();
$("explorer").hidden = false;
show();
