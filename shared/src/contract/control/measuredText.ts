/** Formats power in kilowatts with the two decimals that the meters have, so that values beside each other compare. */
export const formatPower = (kilowatts: number) => `${kilowatts.toFixed(2)} kW`

/** Formats a temperature with one decimal; the sensors are not more exact. */
export const formatTemperature = (celsius: number) => `${celsius.toFixed(1)} °C`
