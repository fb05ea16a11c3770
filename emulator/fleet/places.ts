/** A town with an office and its networks. All IP addresses and AS numbers come from ranges that are reserved for documentation. */
export interface City {
  readonly code: string;
  readonly city: string;
  readonly countryISO: string;
  readonly subdivision1Code: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Second byte of the office's network addresses. */
  readonly network: number;
}

type Choices<T> = readonly [T, ...T[]];

const place = (
  network: number,
  code: string,
  city: string,
  countryISO: string,
  subdivision1Code: string,
  latitude: number,
  longitude: number,
): City => ({ network, code, city, countryISO, subdivision1Code, latitude, longitude });

const london = place(10, "LON", "London", "GB", "ENG", 51.51, -0.13);
const newYork = place(20, "NYC", "New York", "US", "NY", 40.71, -74.01);
const sanFrancisco = place(21, "SFO", "San Francisco", "US", "CA", 37.77, -122.42);
const paris = place(11, "PAR", "Paris", "FR", "IDF", 48.86, 2.35);
const berlin = place(12, "BER", "Berlin", "DE", "BE", 52.52, 13.4);
const madrid = place(13, "MAD", "Madrid", "ES", "MD", 40.42, -3.7);
const singapore = place(30, "SIN", "Singapore", "SG", "01", 1.35, 103.82);
const tokyo = place(31, "TYO", "Tokyo", "JP", "13", 35.68, 139.69);
const sydney = place(32, "SYD", "Sydney", "AU", "NSW", -33.87, 151.21);
const saoPaulo = place(40, "SAO", "Sao Paulo", "BR", "SP", -23.55, -46.63);

export const placesOfGroups: Choices<Choices<City>> = [
  [london, newYork],
  [paris, berlin, madrid, sanFrancisco, singapore, tokyo],
  [sydney, saoPaulo, berlin, newYork],
];

export const homeProviders: Choices<{ asNumber: number; asName: string }> = [
  { asNumber: 64_500, asName: "Example Cable" },
  { asNumber: 64_501, asName: "Example Fiber" },
  { asNumber: 64_502, asName: "Example Telecom" },
  { asNumber: 64_503, asName: "Example Mobile" },
];
export const officeProvider = { asNumber: 64_496, asName: "Example Business Network" } as const;

export const firstNames: Choices<string> = [
  "ana", "ben", "carla", "dara", "emil", "fatima", "george", "hana", "ivan", "jun", "kofi", "lena", "marco", "nadia",
  "omar", "priya", "quinn", "rosa", "sven", "tara", "uma", "viktor", "wen", "yara", "zoe",
]; // prettier-ignore
export const lastNames: Choices<string> = [
  "adams", "brown", "costa", "dubois", "evans", "fischer", "garcia", "hansen", "ito", "jones", "kumar", "lopez",
  "moreau", "nguyen", "okafor", "petrov", "rossi", "silva", "tanaka", "weber",
]; // prettier-ignore
