import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/contrast.css';
import { createApp } from 'vue';
import SharedPage from './SharedPage.vue';
import { readSharedData } from './shared-data.ts';

/**
 * The shared page. Everything it shows is in the page; it sends no requests, unless its owner lets viewers change dates
 * and filters, and one does.
 */
const data = readSharedData(document);
if (data.theme === 'light' || data.theme === 'dark') document.documentElement.dataset['theme'] = data.theme;
createApp(SharedPage, { data }).mount('#app');
