import { defineConfigWithVueTs, vueTsConfigs } from '@vue/eslint-config-typescript';
import vue from 'eslint-plugin-vue';

const COMPONENTS = ['renderer/**/*.vue'];

/**
 * Oxlint checks all code, by types too. ESLint adds what it cannot see: the templates of the components.
 */
export default [
  { ignores: ['dist', 'release', 'coverage', '.dev-data', 'renderer/public', 'test/fixtures'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...defineConfigWithVueTs(
    [...vue.configs['flat/recommended'], vueTsConfigs.base].map((config) => ({
      files: COMPONENTS,
      extends: [config],
    })),
  ),
  {
    name: 'burrow/components',
    files: COMPONENTS,
    rules: {
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/component-name-in-template-casing': ['error', 'PascalCase'],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/multi-word-component-names': 'off',
      'vue/no-unused-refs': 'error',
      'vue/no-v-html': 'error',
      // An optional property in TypeScript says that it may be missing.
      'vue/require-default-prop': 'off',
      // Prettier lays out the markup.
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/singleline-html-element-content-newline': 'off',
    },
  },
];
