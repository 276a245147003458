export { prepareFirstStart } from './first-start.service.ts';
