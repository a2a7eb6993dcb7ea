// The picture of the address: another one once the machine has another address, so that pages ask anew.

/** @param {View | undefined} view */
export const codeOf = view => view?.join?.qr ?? "qr.svg?at=";
