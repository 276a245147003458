import { useRouter } from 'vue-router';

/** Opens the screen that connects a product to the project on screen. */
export function useConnect(): () => void {
  const router = useRouter();
  // The project stays, as every parameter that both addresses have.
  return () => void router.push({ name: 'connect' });
}
