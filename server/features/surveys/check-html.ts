import { fail } from '../../errors.ts';
import { forbiddenHtml } from './allowed-html.ts';
import type { SurveyFields } from './survey-row.ts';

/**
 * Texts that pages show as HTML hold nothing but shaped text. Throws invalid_input for the first that holds more: an author
 * of surveys must not thereby write scripts.
 */
export function checkHtml({ questions, appearance, translations }: SurveyFields): void {
  questions.forEach(({ descriptionContentType, description, translations: others }, at) => {
    if (descriptionContentType !== 'html') return;
    check(`questions__${at}__description`, description);
    for (const [language, texts] of Object.entries(others ?? {}))
      check(`questions__${at}__translations__${language}__description`, texts.description);
  });
  if (appearance?.thankYouMessageDescriptionContentType !== 'html') return;
  const field = 'thankYouMessageDescription';
  check(`appearance__${field}`, appearance[field]);
  for (const [language, texts] of Object.entries(translations ?? {}))
    check(`translations__${language}__${field}`, texts[field]);
}

function check(attr: string, text: unknown): void {
  const forbidden = typeof text === 'string' ? forbiddenHtml(text) : null;
  if (forbidden === null) return;
  throw fail('invalid_input', {
    attr,
    detail: `This is not allowed in HTML: ${forbidden}. Write a literal < as &lt;.`,
  });
}
