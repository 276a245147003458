import type { BodyOf } from '../../api/client.ts';
import type { ActionJson as Action, ActionStep } from '../../../server/features/actions/actions.contract.ts';
import { STEP_TEXTS, type StepText } from './action-labels.ts';
import { EXAMPLE_ACTION, exampleSteps, NO_STEP } from './example-action.ts';

/**
 * A step in the editor; `key` identifies it while steps are added and removed. A text that is `null` is not part of the
 * step.
 */
export interface StepDraft {
  key: number;
  step: ActionStep;
}

/** The draft of an action. */
export interface ActionDraft {
  name: string;
  description: string;
  tags: readonly string[];
  steps: readonly StepDraft[];
}

let lastKey = 0;

/** A step to edit; without one, a step that every event fits. */
export function stepDraft(step: Partial<ActionStep> = {}): StepDraft {
  lastKey += 1;
  return { key: lastKey, step: { ...NO_STEP, ...step } };
}

/** The draft of an action; of a new one (`null`), one step without conditions. */
export function draftOf(action: Action | null): ActionDraft {
  if (action === null) return { name: '', description: '', tags: [], steps: [stepDraft()] };
  const { name, description, tags, steps } = action;
  return { name, description, tags, steps: steps.map((step) => stepDraft(step)) };
}

/** The same under another name, to be kept beside it. */
export function copyOf(action: Action): ActionDraft {
  return { ...draftOf(action), name: `${action.name} (copy)` };
}

/** The example that the list of actions teaches with. */
export function exampleDraft(): ActionDraft {
  return { ...EXAMPLE_ACTION, tags: [], steps: exampleSteps().map((step) => stepDraft(step)) };
}

/** What is stored of a draft. */
export function changeOf({
  name,
  description,
  tags,
  steps,
}: ActionDraft): Required<Pick<BodyOf<'POST P/actions/'>, 'name' | 'description' | 'tags' | 'steps'>> {
  return { name: name.trim(), description: description.trim(), tags: [...tags], steps: stepsOf(steps) };
}

/** The steps of a draft as they are stored and queried: empty fields are left out. */
export function stepsOf(steps: readonly StepDraft[]): ActionStep[] {
  return steps.map(({ step }) => cleaned(step));
}

/** Whether every event fits the step. */
export function fitsAll(step: ActionStep): boolean {
  const { event, properties } = cleaned(step);
  return event === null && properties.length === 0 && STEP_TEXTS.every(({ id }) => !step[id]);
}

/** The texts of a step, in order; an empty one is about to be typed. */
export function textsOf(step: ActionStep): StepText[] {
  return STEP_TEXTS.filter(({ id }) => step[id] !== null).map(({ id }) => id);
}

/** The step with a text to be typed, compared in the usual way; or (`null`) without it. */
export function withText(step: ActionStep, id: StepText, text: string | null): ActionStep {
  const { matching, usual } = STEP_TEXTS.find((one) => one.id === id)!;
  if (matching === null) return { ...step, [id]: text };
  return { ...step, [id]: text, [matching]: text === null ? null : (step[matching] ?? usual) };
}

function cleaned(step: ActionStep): ActionStep {
  const clean = { ...step, event: step.event || null };
  for (const { id, matching, usual } of STEP_TEXTS) {
    const isAsked = Boolean(step[id]);
    clean[id] = isAsked ? step[id] : null;
    if (matching) clean[matching] = isAsked ? (step[matching] ?? usual) : null;
  }
  return clean;
}
