// What is said: numbers as text, the sentences, names and commands.
function fixed(units, decimals) {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = decimals ? "." + digits.slice(-decimals) : "";
  return (units < 0 ? "-" : "") + whole + rest;
}
const text = (number, units) => (units === null ? "none" : fixed(units, number.decimals) + (number.share ? "\u00a0%" : ""));
const signed = (number, units) => (units > 0 ? "+" : "") + fixed(units, number.decimals);
const interval = (number, { low, high }) =>
  low === null ? "too few deals" : `${fixed(low, number.decimals)} to ${text(number, high)}`;

function clock(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}\u00a0h ${two(Math.floor((seconds % 3600) / 60))}\u00a0min`;
  return seconds >= 60 ? `${Math.floor(seconds / 60)}\u00a0min ${two(seconds % 60)}\u00a0s` : `${seconds}\u00a0s`;
}
const mark = (seconds) => seconds >= 3600
  ? `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} h`
  : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

// What is rounded away is neither none nor all.
function ofHundred(thousandths, step = 1) {
  if (thousandths <= 0) return `fewer than ${fixed(step, 1)} of 100`;
  return thousandths >= 1000 ? `more than ${fixed(1000 - step, 1)} of 100` : `${fixed(thousandths, 1)} of 100`;
}
const capital = (words) => words[0].toUpperCase() + words.slice(1);

const byName = (name) => numbers.findIndex((number) => number.name === name);
const [STALLED, STALLS_EACH, SHARE, LENGTH, SKEW] =
  ["stalled", "stalls", "stall_share", "length_s", "win_skew"].map(byName);

// A number of deals of all: none and all are said only where it is so.
function ofDeals(count) {
  if (count === 0 || count === deals) return count ? "all" : "none";
  if (count * 100 < deals) return `1 in ${fixed(Math.round(deals / count), 0)}`;
  const tenths = Math.round((1000 * count) / deals);
  return tenths >= 1000 ? "more than 99.9 of 100" : `${fixed(tenths, 1)} of 100`;
}

function sayEnding({ won, endings }) {
  const winner = won === 0 ? "No deal has" : `${capital(ofDeals(won))} deals ${won * 100 < deals ? "has" : "have"}`;
  const others = data.endings.flatMap(({ name, why }, k) => {
    if (!endings[k]) return [];
    const often = ofDeals(endings[k]);
    return [`${often.startsWith("1 in") ? `once in ${often.slice(5)} deals` : `in ${often}`} ${why} (${name})`];
  });
  return `${[`${winner} a winner`, ...others].join("; ")}.`;
}

// What lengths are lengths of, where not all deals are won.
function ofWhich({ won, endings }) {
  if (won === deals) return "";
  const ended = (name) => endings[data.endings.findIndex((ending) => ending.name === name)];
  const parts = [
    ended("drawn") ? "drawn ones too" : "", ended("deadlocked") ? "deadlocked ones up to where they lock" : "",
    ended("livelocked") ? "livelocked ones up to where they come round again" : "",
    ended("unfinished") ? "stopped ones up to the limit" : "",
  ];
  return ["all deals", ...parts.filter((part) => part)].join(", ");
}

// What a picture must say of a rule by which deals have no winner, or it would look better than it is.
const WINNERLESS = 0.01;
const isWinnerless = ({ won }) => deals - won >= WINNERLESS * deals;
const warning = (one, label) =>
  (isWinnerless(one) ? `${capital(label)}: ${ofDeals(deals - one.won)} deals have no winner; shown are ${ofWhich(one)}.` : "");
const warnings = (state, other) =>
  [warning(facts(state), "this rule"), other ? warning(facts(other), called()) : ""].filter((said) => said).join(" ");

function sayStalls(state) {
  const { stalled } = facts(state);
  if (!stalled) return "No deal stalls.";
  const each = text(numbers[STALLS_EACH], metric(state, STALLS_EACH).value);
  return `${capital(ofDeals(stalled))} deals ${stalled * 100 < deals ? "stalls" : "stall"}, ${each} times a deal: ` +
    `${text(numbers[SHARE], metric(state, SHARE).value)} of the time.`;
}
function sayLength(one) {
  const which = ofWhich(one);
  return `Half of the deals are over in ${clock(one.median)}; 19 of 20 in ${clock(one.most)}${which ? `: of ${which}` : ""}.`;
}

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

// Where a game's rules stand as they are: its text, a file of the user's, or the study.
const ownOf = ({ game }) => games[game].own;
function nameOf(state) {
  const own = games[state.game].base;
  const changed = choices.filter((_, k) => state.values[k] !== own[k]);
  const said = changed.map((choice) => `${choice.ask}: ${choice.values[state.values[choices.indexOf(choice)]].say}`);
  return games[state.game].label + (said.length ? ` with ${said.join("; ")}` : ` as the ${ownOf(state)} has it`);
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
