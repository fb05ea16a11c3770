import type { LoggedExchange, RequestLog } from "../requests";

export function latest(
  log: RequestLog,
  limit: number,
  after = 0,
  wanted: (exchange: LoggedExchange) => boolean = () => true,
): LoggedExchange[] {
  const arrived: LoggedExchange[] = [];
  const exchanges = log.exchanges();
  for (let place = exchanges.length - 1; place >= 0 && arrived.length < limit; place -= 1) {
    const exchange = exchanges[place];
    if (!exchange || exchange.number <= after) break;
    if (wanted(exchange)) arrived.push(exchange);
  }
  return arrived;
}

export function oldest(log: RequestLog): number {
  return log.exchanges()[0]?.number ?? log.next;
}
