export { createFlagSubjects } from './flag-subjects.service.ts';
export type { FlagSubjects, GroupSubject, Properties, Soon, Subject } from './subject.ts';
