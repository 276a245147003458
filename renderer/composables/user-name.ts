/** How a person of this machine is called: by name, or by e-mail address where there is none. */
export function userNameOf({
  first_name,
  last_name,
  email,
}: {
  first_name: string;
  last_name: string;
  email: string;
}): string {
  return `${first_name} ${last_name}`.trim() || email;
}
