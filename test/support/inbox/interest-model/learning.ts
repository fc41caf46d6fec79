/** One model of interest that learns, answer by answer: backpropagation, each weight with a rate of its own by AdaGrad (Duchi et al., 2011). */
import { INTERESTS } from '../../../../src/domain/inbox/interest/interest.ts';
import {
  ALL_BUCKETS,
  readAnswer,
  type InterestModel,
  type Layer,
  type Reading,
  type Traits,
  type Weighed,
} from '../../../../src/domain/inbox/interest/model.ts';

const CLASSES = INTERESTS.length;
/** Of one model; three are joined. */
const UNITS = 12;

/** Of the whole text, and of the units. */
const RATE = 0.2;
const UNIT_RATE = 0.05;
const BIAS_RATE = 0.02;
/** So many of the buckets and of the pooled values are left out, anew for each answer: Srivastava et al., 2014. */
const LEFT_OUT = 0.3;
const FIRST_SQUARE = 1e-6;

/** What is learnt of one set of weights. */
interface Learnt {
  weights: Float32Array;
  /** Sums of the squares of the gradients of each. */
  squares: Float32Array;
  rate: number;
}

interface Learner {
  model: InterestModel;
  /** Changes the weights, so that they say more surely what the answer means: the index of its class. */
  learn: (traits: Traits, is: number) => void;
}

/** See `Layer`. */
export type Known = Record<'whole' | 'clause', Uint8Array>;

export function createLearner(known: Known, random: () => number): Learner {
  const whole = learnt(ALL_BUCKETS * CLASSES, RATE);
  const clause = learnt(ALL_BUCKETS * UNITS, UNIT_RATE, () => 0.1 * gauss(random));
  const unitBiases = learnt(UNITS, UNIT_RATE);
  const before = learnt(UNITS * UNITS, UNIT_RATE);
  const outputs = learnt(2 * UNITS * CLASSES, UNIT_RATE, () => gauss(random) / Math.sqrt(UNITS));
  const biases = new Float32Array(CLASSES);
  const layerOf = ({ weights }: Learnt, of: Uint8Array): Layer => ({
    weights,
    scale: 1,
    known: of,
  });
  const model: InterestModel = {
    whole: layerOf(whole, known.whole),
    clause: layerOf(clause, known.clause),
    unitBiases: unitBiases.weights,
    before: before.weights,
    outputs: outputs.weights,
    biases,
  };
  const isKept = () => random() >= LEFT_OUT;
  const learn = (traits: Traits, is: number) => {
    const mask = Float32Array.from({ length: 2 * UNITS }, () =>
      isKept() ? 1 / (1 - LEFT_OUT) : 0,
    );
    const reading = readAnswer(model, traits, { isKept, mask });
    const errors = Float32Array.from(reading.likely, (each, at) => each - (at === is ? 1 : 0));
    errors.forEach((error, at) => (biases[at]! -= BIAS_RATE * error));
    changeRows(whole, reading.whole, errors);
    const pooled = changeOutputs(outputs, reading.pooled, errors);
    const changes = changesOfUnits(
      reading,
      pooled.map((each, at) => each * mask[at]!),
      before,
    );
    for (const [at, { read }] of reading.clauses.entries()) {
      const change = changes[at]!;
      change.forEach((each, unit) => step(unitBiases, unit, each));
      changeRows(clause, read, change);
    }
  };
  return { model, learn };
}

const learnt = (length: number, rate: number, first = () => 0): Learnt => ({
  weights: new Float32Array(length).map(first),
  squares: new Float32Array(length).fill(FIRST_SQUARE),
  rate,
});

function step({ weights, squares, rate }: Learnt, at: number, gradient: number): void {
  if (gradient === 0) return;
  squares[at]! += gradient * gradient;
  weights[at]! -= (rate * gradient) / Math.sqrt(squares[at]!);
}

function changeRows(layer: Learnt, { buckets, shares }: Weighed, errors: Float32Array): void {
  const { length } = errors;
  for (let at = 0; at < buckets.length; at += 1) {
    const row = buckets[at]! * length;
    const share = shares[at]!;
    for (let to = 0; to < length; to += 1) step(layer, row + to, errors[to]! * share);
  }
}

/** Changes them, and tells what the values of the units should have been less by. */
function changeOutputs(outputs: Learnt, pooled: Float32Array, errors: Float32Array): Float32Array {
  return pooled.map((value, unit) => {
    let change = 0;
    for (let at = 0; at < CLASSES; at += 1) {
      const place = unit * CLASSES + at;
      change += errors[at]! * outputs.weights[place]!;
      if (value !== 0) step(outputs, place, errors[at]! * value);
    }
    return change;
  });
}

/** The same by clause, the last one first: a clause has a part in those behind it. */
function changesOfUnits({ clauses, highest }: Reading, pooled: Float32Array, before: Learnt) {
  const changes: Float32Array[] = [];
  for (let at = clauses.length - 1; at >= 0; at -= 1) {
    const { units } = clauses[at]!;
    const behind = changes[at + 1];
    changes[at] = units.map((value, unit) => {
      if (value <= 0) return 0;
      let change = pooled[UNITS + unit]! / clauses.length;
      if (highest[unit] === at) change += pooled[unit]!;
      for (let to = 0; behind && to < UNITS; to += 1) {
        change += before.weights[unit * UNITS + to]! * behind[to]!;
      }
      return change;
    });
  }
  changeBefore(clauses, changes, before);
  return changes;
}

function changeBefore(
  clauses: Reading['clauses'],
  changes: readonly Float32Array[],
  before: Learnt,
): void {
  for (const [at, { units }] of clauses.entries()) {
    const behind = changes[at + 1];
    if (!behind) return;
    for (const [unit, value] of units.entries()) {
      if (value <= 0) continue;
      for (let to = 0; to < UNITS; to += 1) step(before, unit * UNITS + to, value * behind[to]!);
    }
  }
}

/** One model whose class is the mean of theirs, before it is made a probability: the units of all, side by side. */
export function joined(models: readonly InterestModel[]): InterestModel {
  const first = models[0]!;
  const each = models.length;
  const all = each * UNITS;
  const mean = (lists: readonly ArrayLike<number>[]) =>
    Float32Array.from(lists[0]!, (_, at) => lists.reduce((sum, list) => sum + list[at]!, 0) / each);
  const clause = new Float32Array(ALL_BUCKETS * all);
  const before = Array.from({ length: all * all }, () => 0);
  const outputs = Array.from({ length: 2 * all * CLASSES }, () => 0);
  for (const [of, model] of models.entries()) {
    const offset = of * UNITS;
    for (let bucket = 0; bucket < ALL_BUCKETS; bucket += 1) {
      const row = model.clause.weights.subarray(bucket * UNITS, (bucket + 1) * UNITS);
      clause.set(row, bucket * all + offset);
    }
    for (let unit = 0; unit < UNITS; unit += 1) {
      for (let to = 0; to < UNITS; to += 1) {
        before[(offset + unit) * all + offset + to] = model.before[unit * UNITS + to]!;
      }
      for (let at = 0; at < CLASSES; at += 1) {
        for (const part of [0, 1]) {
          const weight = model.outputs[(part * UNITS + unit) * CLASSES + at]!;
          outputs[(part * all + offset + unit) * CLASSES + at] = weight / each;
        }
      }
    }
  }
  return {
    whole: { ...first.whole, weights: mean(models.map(({ whole }) => whole.weights)) },
    clause: { ...first.clause, weights: clause },
    unitBiases: models.flatMap(({ unitBiases }) => Array.from(unitBiases)),
    before,
    outputs,
    biases: [...mean(models.map(({ biases }) => biases))],
  };
}

/** Box and Muller, 1958. */
const gauss = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random());
