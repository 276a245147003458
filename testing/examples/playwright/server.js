import { createServer } from 'node:http';

/** The app under test: a page with posthog-js, configured by its environment as in production. */
const { POSTHOG_HOST, POSTHOG_KEY, PORT } = process.env;
const page = `<!doctype html>
<title>Shop</title>
<button>Buy</button>
<script>
  !function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).src=s.api_host+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(n=0;n<(o=["capture","identify","onFeatureFlags"]).length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);
  posthog.init('${POSTHOG_KEY}', { api_host: '${POSTHOG_HOST}' });
  document.querySelector('button').onclick = () => posthog.capture('bought', { price: 12 });
</script>`;

createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end(page);
}).listen(Number(PORT), '127.0.0.1');
