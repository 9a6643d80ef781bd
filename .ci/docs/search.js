// Asks the search of the built site as a reader does, by the program that its pages run (lunr), and compares the first hit.
// node search.js SITE SEARCHES: prints a PASS or FAIL line for each search.
const fs = require('fs');
const [site, searches] = process.argv.slice(2);
const lunr = require(fs.realpathSync(site + '/search/lunr.js'));
const data = JSON.parse(fs.readFileSync(site + '/search/search_index.json', 'utf8'));
if (data.config.separator) lunr.tokenizer.separator = new RegExp(data.config.separator);
const index = lunr(function () { // as in search/worker.js
  this.field('title');
  this.field('text');
  this.ref('location');
  for (const entry of data.docs) this.add(entry);
});
for (const line of fs.readFileSync(searches, 'utf8').split('\n')) {
  if (line.trim() === '' || line.startsWith('#')) continue;
  const [words, page] = line.split('->').map(part => part.trim());
  const hits = words.length < data.config.min_search_length ? [] : index.search(words).map(hit => hit.ref); // as in search/main.js
  const found = hits.length > 0 && hits[0].split('#')[0] === page;
  console.log(found ? `PASS search "${words}": ${hits[0]}` : `FAIL search "${words}": ${hits.slice(0, 4).join(' ')}, expected ${page}`);
}
