export { createFlagSubjects } from './flag-subjects.service.ts';
export type { FlagSubjects, GroupSubject, Properties, MaybePromise, Subject } from './subject.ts';
