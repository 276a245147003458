/**
 * The distinct id that posthog-js sends for every visitor while it may not set cookies. It identifies no visitor: the
 * server would have to compute an id for each visitor.
 */
export const COOKIELESS_DISTINCT_ID = '$posthog_cookieless';
