/** Port that the emulator of a new project listens on, unless another is given. */
export const emulatorPort = 8080;
