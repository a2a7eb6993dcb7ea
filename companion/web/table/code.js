// The picture of the address: another one once the machine has another address, so that an open page asks anew.

/** @param {View | undefined} view */
export const codeOf = view => view?.join?.qr ?? "qr.svg?at=";
