/** What functions return, a line each: the call, then a sentence. Arguments in brackets are optional. */
export const FUNCTION_LINES = `
count([x]): Number of rows, or of those where x is not NULL.
uniq(x, …): Number of different values.
uniqExact(x, …): Number of different values.
countDistinct(x, …): Number of different values.
sum(x): Sum of the values.
avg(x): Mean of the values.
avgWeighted(x, weight): Mean of the values, each counted by its weight.
min(x): The smallest value.
max(x): The largest value.
any(x): One of the values.
anyLast(x): The value met last.
argMin(x, by): x of the row where by is smallest.
argMax(x, by): x of the row where by is largest.
stddevPop(x): Standard deviation of all values.
stddevSamp(x): Standard deviation, of a sample.
varPop(x): Variance of all values.
varSamp(x): Variance, of a sample.
corr(x, y): Correlation of two numbers, from -1 to 1.
median(x): The value in the middle.
quantile(level)(x): The value below which a share of all lies: quantile(0.9)(x).
quantiles(level, …)(x): Several quantiles at once, as an array.
topK(n)(x): The n most frequent values, as an array.
groupArray(x): All values, as an array.
groupUniqArray(x): The different values, as an array.
groupConcat(x): All values as one text.
groupArraySample(size, [seed])(x): So many of the values, chosen by chance.
groupArrayInsertAt([default, size])(x, place): Each value at its place in an array, from 0.
array_agg(x): All values, as an array.
string_agg(text, separator): All values as one text.
json_agg(x): All values, as the text of a JSON array.
sumMap(keys, values): Sums of the values of each key; a map takes the place of both arrays.
minMap(keys, values): The smallest value of each key.
maxMap(keys, values): The largest value of each key.
windowFunnel(window, [mode])(time, step1, step2, …): How many steps the longest chain within the window comes.
aggregate_funnel(steps, window, attribution, order, values, [optional], events): How far events came in a funnel, for each breakdown value: step reached, value, times between steps, UUIDs of each step, bits of the steps. Events are (time, UUID, value, steps) in the order of their time.
aggregate_funnel_array(steps, window, attribution, order, values, [optional], events): aggregate_funnel whose breakdown values are arrays.
aggregate_funnel_cohort(steps, window, attribution, order, values, [optional], events): aggregate_funnel whose breakdown values are numbers of cohorts.
aggregate_funnel_trends(from, [to], steps, window, attribution, order, values, events): Intervals in which events began a funnel: start of the interval, 1 or -1, breakdown value, UUID of the last step. Events are (time, interval, UUID, value, steps) in the order of their time.
aggregate_funnel_array_trends(from, [to], steps, window, attribution, order, values, events): aggregate_funnel_trends whose breakdown values are arrays.
aggregate_funnel_cohort_trends(from, [to], steps, window, attribution, order, values, events): aggregate_funnel_trends whose breakdown values are numbers of cohorts.
retention(first, second, …): Whether the first condition was ever fulfilled, and each other one beside it.
sequenceMatch(pattern)(time, condition1, …): Whether events follow each other as the pattern says: '(?1).*(?2)'.
sequenceCount(pattern)(time, condition1, …): How often events follow each other as the pattern says.
exponentialMovingAverage(half)(x, time): A mean in which a value counts half after so much time.
sumState(x): What a sum needs to know of the rows, for sumMerge in a query around it.
sumMerge(state): The sum of all rows that states are of.
uniqState(x, …): The different values, for uniqMerge in a query around it.
uniqMerge(state): How many different values all states hold.
uniqUpTo(n)(x): Number of different values up to n; one more than n for all above.
every(condition): Whether the condition holds for all rows.
if(condition, then, else): One of two values.
multiIf(condition, then, …, else): The value of the first condition that holds.
coalesce(x, …): The first value that is not NULL.
ifNull(x, other): x, or other where x is NULL.
nullIf(x, y): NULL where both are equal, else x.
isNull(x): Whether x is NULL.
isNotNull(x): Whether x is not NULL.
empty(x): Whether a text or array has nothing in it.
notEmpty(x): Whether a text or array has something in it.
transform(x, from, to, [default]): Replaces values of one array by those of another.
least(x, …): The smallest of its arguments.
greatest(x, …): The largest of its arguments.
toString(x): x as text.
toInt(x): x as a whole number, NULL where it is none.
toFloat(x): x as a number, NULL where it is none.
toFloatOrZero(x): x as a number, 0 where it is none.
toBool(x): x as true or false.
toUUID(x): x as a UUID.
toTypeName(x): The type of x.
toDate(x, [zone]): The day of a moment or of a text, by the project's clocks.
toDateTime(x, [zone]): A moment from a text or a Unix time.
toTimeZone(x, zone): The same moment by the clocks of another zone.
fromUnixTimestamp(x): The moment of a Unix time in seconds.
now(): The moment of asking.
today(): The day of asking.
yesterday(): The day before asking.
formatDateTime(x, format, [zone]): A moment written by a format: formatDateTime(timestamp, '%Y-%m-%d').
to_char(x, format, [zone]): A moment written by a format of formatDateTime.
parseDateTime(text, format, [zone]): The moment that a text of this format says.
dateTrunc(unit, x, [zone]): The beginning of the day, week, month… of a moment: dateTrunc('week', timestamp).
dateDiff(unit, from, to, [zone]): How many boundaries of days, weeks, months… lie between two moments.
age(unit, from, to, [zone]): How many whole days, weeks, months… lie between two moments.
dateAdd(unit, n, x): A moment some days, weeks, months… later.
dateSub(unit, n, x): A moment some days, weeks, months… earlier.
addDays(x, n): A moment n days later.
subtractDays(x, n): A moment n days earlier.
toStartOfSecond(x): The beginning of the second.
toStartOfMinute(x): The beginning of the minute.
toStartOfFiveMinutes(x): The beginning of the five minutes.
toStartOfFifteenMinutes(x): The beginning of the quarter of an hour.
toStartOfHour(x): The beginning of the hour.
toStartOfDay(x): The beginning of the day, by the project's clocks.
toStartOfWeek(x, [mode]): The first day of the week; mode 0 begins on Sunday, 1 on Monday.
toStartOfMonth(x): The first day of the month.
toStartOfQuarter(x): The first day of the quarter.
toStartOfYear(x): The first day of the year.
toStartOfInterval(x, interval): The beginning of an interval: toStartOfInterval(timestamp, INTERVAL 6 HOUR).
toMonday(x): The Monday of the week.
toYear(x): The year.
toQuarter(x): The quarter, 1 to 4.
toMonth(x): The month, 1 to 12.
toDayOfMonth(x): The day of the month, 1 to 31.
toDayOfWeek(x, [mode]): The day of the week, 1 for Monday to 7 for Sunday.
toHour(x): The hour, 0 to 23.
toMinute(x): The minute, 0 to 59.
toISOWeek(x): The number of the week in its year.
toYearWeek(x, [mode]): The year and the number of the week: 202601.
toUnixTimestamp(x): Seconds since 1970.
toYYYYMM(x): Year and month as a number: 202611.
monthName(x): The name of the month.
toIntervalDay(n): A span of n days.
arrayJoin(array): A row for each item of an array.
arrayMap(x -> …, array): Each item, changed.
arrayFilter(x -> …, array): The items for which the condition holds.
arrayExists(x -> …, array): Whether the condition holds for an item.
arrayAll(x -> …, array): Whether the condition holds for every item.
arrayCount(x -> …, array): For how many items the condition holds.
arrayFirst(x -> …, array): The first item for which the condition holds.
arraySum([x -> …], array): Sum of the items.
arrayAvg([x -> …], array): Mean of the items.
arrayMin([x -> …], array): The smallest item.
arrayMax([x -> …], array): The largest item.
arraySort([x -> …], array): The items in order.
arrayReverseSort([x -> …], array): The items in falling order.
arrayDistinct(array): The different items.
arrayConcat(array, …): Arrays after one another.
arrayFill(x -> …, array): Items for which the condition does not hold become the one before them.
arrayReverseFill(x -> …, array): Items for which the condition does not hold become the one behind them.
arraySplit(x -> …, array): Parts of an array, a new one at each item for which the condition holds.
arrayReverseSplit(x -> …, array): Parts of an array, a new one behind each item for which the condition holds.
arraySlice(array, offset, [length]): A part of an array; the first item is 1.
arrayElement(array, n): The item at a place; the first is 1.
arrayStringConcat(array, [separator]): The items as one text.
arrayZip(array, …): Tuples of the items at the same place.
has(array, x): Whether x is an item.
hasAny(array, array): Whether both share an item.
hasAll(array, array): Whether all items of the second are in the first.
indexOf(array, x): The place of x, 0 where it is missing.
range([from], to, [step]): Whole numbers up to, and without, the end.
length(x): Length of a text in bytes, or of an array.
lengthUTF8(text): Length of a text in characters.
lower(text): The text in small letters.
upper(text): The text in capitals.
concat(x, …): Texts after one another.
substring(text, offset, [length]): A part of a text; the first byte is 1.
left(text, n): The first n bytes.
right(text, n): The last n bytes.
trim(text): The text without spaces around it.
replaceAll(text, part, other): Every occurrence of a part replaced.
replaceOne(text, part, other): The first occurrence of a part replaced.
replaceRegexpAll(text, pattern, other): Every match of a pattern replaced.
startsWith(text, part): Whether the text begins so.
endsWith(text, part): Whether the text ends so.
position(text, part): The place of a part, 0 where it is missing.
like(text, pattern): Whether the text has this shape; % is anything, _ a character.
ilike(text, pattern): As like, whatever the case.
match(text, pattern): Whether a regular expression matches.
extract(text, pattern): What a regular expression matches first.
extractAll(text, pattern): All that a regular expression matches.
countMatches(text, pattern): How often a regular expression matches.
splitByChar(separator, text): The parts between a character.
splitByString(separator, text): The parts between a text.
format(format, x, …): Values put into a text: format('{} of {}', 1, 2).
hasToken(text, word): Whether a word stands in the text.
ngrams(text, n): All parts of the text that are n letters long.
extractAllGroups(text, pattern): What each group matches, match by match.
sortableSemVer(text): A version as numbers that can be compared: sortableSemVer('1.20.3').
formatReadableSize(bytes): A size as people read it: 1.50 MiB.
formatReadableQuantity(x): A number as people read it: 1.20 million.
formatReadableTimeDelta(seconds, [unit]): A span of time in words.
bar(x, min, max, [width]): A bar of blocks, which is full at max.
levenshteinDistance(a, b): How many letters differ.
domain(url): The host of an address.
domainWithoutWWW(url): The host of an address, without www.
path(url): The path of an address.
netloc(url): Who signs in, host and port of an address.
URLHierarchy(url): An address up to the end of each of its parts.
queryString(url): What follows the question mark of an address.
extractURLParameter(url, name): The value of a parameter of an address.
cutQueryString(url): An address without its question mark and what follows.
JSONExtractString(json, key, …): A text inside JSON.
JSONExtractInt(json, key, …): A whole number inside JSON.
JSONExtractFloat(json, key, …): A number inside JSON.
JSONExtractBool(json, key, …): True or false inside JSON.
JSONExtractRaw(json, key, …): A part of JSON, as JSON.
JSONExtractArrayRaw(json, key, …): The items of a list inside JSON, each as JSON.
JSONExtractKeys(json, key, …): The keys of an object inside JSON.
JSONLength(json, key, …): How many items or keys there are.
JSONHas(json, key, …): Whether the key is there.
JSON_VALUE(json, path): The value at a path of JSON, as text: JSON_VALUE(properties, '$.cart.items[0]').
round(x, [digits]): The nearest number with so many digits.
floor(x, [digits]): The next smaller number.
ceil(x, [digits]): The next larger number.
abs(x): The number without its sign.
intDiv(x, y): How often y fits into x.
modulo(x, y): What remains of x divided by y.
pow(x, y): x to the power of y.
sqrt(x): The square root.
exp(x): e to the power of x.
log(x): The natural logarithm.
log2(x): The logarithm to base 2.
log10(x): The logarithm to base 10.
erf(x): The error function.
erfc(x): What the error function lacks to 1.
roundDown(x, array): The largest item that is not larger.
bitTest(x, place): Whether a bit is set, counted from 0 at the right.
sign(x): -1, 0 or 1.
tuple(x, …): Several values as one.
map(key, value, …): Values by their keys.
mapAdd(map, map, …): Sums key by key.
mapFilter((key, value) -> …, map): The entries for which the condition holds.
mapApply((key, value) -> (key, value), map): Each entry, changed.
tuplePlus(a, b): Sums part by part.
dotProduct(a, b): Sum of the products of parts at the same place.
L2Norm(vector): The length of a vector, which is a tuple or an array.
L2Distance(a, b): The distance between two points.
cosineDistance(a, b): 1 without the cosine of the angle between two vectors.
row_number(): The number of the row in its window, from 1.
rank(): The place in the order; equals share it and leave gaps.
dense_rank(): The place in the order; equals share it, without gaps.
lag(x, [n], [default]): x of the row n before.
lead(x, [n], [default]): x of the row n after.
first_value(x): x of the first row.
last_value(x): x of the last row.
ntile(n): Which of n equal parts the row is in.
getTrafficType(user_agent, [ip]): Who visits: 'AI Agent', 'Bot', 'Automation' or 'Regular'.
getTrafficCategory(user_agent, [ip]): The kind of bot (ai_crawler, search_crawler…), or 'regular'.
isLikelyBot(user_agent, [ip]): Whether a user agent names a program, or there is none.
getBotType(user_agent, [ip]): The kind of bot, or ''.
getBotName(user_agent, [ip]): The name of the bot, or ''.
getBotOperator(user_agent, [ip]): Who runs the bot, or ''.
hogql_lookupDomainType(source): The kind of site: Search, Social, Shopping, Video, Email, AI, or NULL.
hogql_lookupPaidSourceType(source): The channel of a paid visit from a source, or NULL.
hogql_lookupOrganicSourceType(source): The channel of a visit from a source, or NULL.
hogql_lookupPaidMediumType(medium): The channel of a paid medium, or NULL.
hogql_lookupOrganicMediumType(medium): The channel of a medium, or NULL.
arrayAUC(scores, labels): The area below the ROC curve of scores.
generateSeries(start, end, [step]): Numbers up to and with the end, as an array.
make_interval(years, months, days, hours, minutes, seconds): An interval of several units.
multiFuzzyMatchAny(text, edits, words): Whether a word stands in the text, but for so many letters.
geoDistance(lon1, lat1, lon2, lat2): Metres between two places on the ellipsoid of the earth.
geohashesInBox(lon1, lat1, lon2, lat2, precision): The geohashes that touch a box.
greatCircleDistance(lon1, lat1, lon2, lat2): Metres between two places on the earth.
pointInPolygon((x, y), array): Whether a point is within a polygon.
geohashEncode(lon, lat, [precision]): The geohash of a place, in letters.
ngramDistance(a, b): How much two texts differ, from 0 to 1, by parts of four letters.
extractTextFromHTML(html): What a page shows, without its tags.
tumble(x, interval, [zone]): Beginning and end of the interval that a moment is in.
toTime(x, [zone]): The time of day alone.
cramersV(a, b): How much two columns have to do with each other, from 0 to 1.
maxIntersections(start, end): How many intervals overlap where most of them do.
quantileExactWeighted(level)(x, weight): A quantile of values that count as often as their weights say.
matchesAction(action): Whether an event fits an action, by its id or name.
getSurveyResponse(index, [id], [isMultipleChoice]): The answer to a question of a survey.
uniqueSurveySubmissionsFilter(survey, [from], [to]): Whether an event is the last one of its submission of a survey.
cityHash64(x, …): A number that stands for the values.
MD5(text): The digest of a text.
`;
