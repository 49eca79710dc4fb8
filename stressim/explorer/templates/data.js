// What the page carries: the choices, and the numbers of all combinations.
const data = JSON.parse(document.getElementById("data").textContent);
const { games, choices, numbers, deals } = data;
const slider = choices.length - 1;
const $ = (id) => document.getElementById(id);

// The numbers: columns of Rice-coded steps, see stressim/explorer/packing.py and page.py for their order.

const sizes = choices.map((choice) => choice.values.length);
const size = games.length * sizes.reduce((product, n) => product * n, 1);

const sextets = new Uint8Array(128);
[...data.alphabet].forEach((character, value) => { sextets[character.charCodeAt(0)] = value; });

function unpack([lag, bits, text], n) {
  const found = new Int32Array(n);
  let at = 0;
  const bit = () => (sextets[text.charCodeAt(Math.floor(at / 6))] >> (5 - (at++ % 6))) & 1;
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
const FIRST = 4, METRICS = FIRST + 3, DOTS = METRICS + 6 * numbers.length, N_DOTS = 20,
  ENDINGS = DOTS + N_DOTS, STALLED_DEALS = ENDINGS + data.endings.length, WIDTH = STALLED_DEALS + 1, STALLS = WIDTH + 1;

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

// How many deals end in each way without a winner, by the names that data.endings has, and how many stall; atMost are
// the deals, in thousandths, that stall no more often than the first bin holds, the first two, ….
function facts(state) {
  const row = rowOf[place(state)];
  const dots = running(row, DOTS, N_DOTS);
  const atMost = running(row, STALLS, columns.length - STALLS).map((sum) => sum * data.step);
  const counted = (number, column) => {
    const share = number === null ? 0 : metric(state, number).value || 0;
    return columns[column][row] + Math.floor((share * deals + 500) / 1000);
  };
  const endings = data.endings.map(({ number }, k) => counted(number, ENDINGS + k));
  return {
    players: columns[0][row], alike: columns[1][row] === 1, dots, atMost, endings,
    stalled: counted(STALLED, STALLED_DEALS),
    won: deals - endings.reduce((sum, count) => sum + count, 0), width: data.widths[columns[WIDTH][row]],
    median: columns[2][row] + dots[9], most: columns[3][row] + dots[18], first: limits(row, FIRST),
  };
}
