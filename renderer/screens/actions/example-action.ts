import type { ActionStep } from '../../../server/features/actions/actions.contract.ts';

/** The action that teaches what actions are: who looks at the prices, or clicks where they are promised. */
export const EXAMPLE_ACTION = {
  name: 'Pricing viewed',
  description: 'Viewed the pricing page, or clicked a link to it',
};

/** A step that says nothing: every event fits. */
export const NO_STEP: ActionStep = {
  event: null,
  properties: [],
  selector: null,
  tag_name: null,
  text: null,
  text_matching: null,
  href: null,
  href_matching: null,
  url: null,
  url_matching: null,
};

/** The steps of the example. */
export function exampleSteps(): ActionStep[] {
  return [
    { ...NO_STEP, event: '$pageview', url: '/pricing', url_matching: 'contains' },
    { ...NO_STEP, event: '$autocapture', text: 'Pricing', text_matching: 'contains' },
  ];
}
