import * as styles from './login.module.css'

const towers = [
  { x: 40, width: 96, top: 330 },
  { x: 150, width: 132, top: 210 },
  { x: 296, width: 84, top: 390 },
  { x: 394, width: 150, top: 130 },
  { x: 558, width: 104, top: 290 },
  { x: 676, width: 84, top: 420 },
]
const groundY = 640
/** The pattern is fixed, so that the same windows are lit on every visit. */
const isWindowLit = (tower: number, row: number, column: number) =>
  (tower * 31 + row * 17 + column * 53 + row * column * 7) % 11 < 3

/** Draws the picture of the login page if the platform has none: a building at night with some lights on. */
export const Skyline = () => (
  <svg className={styles.skyline} viewBox="0 0 800 640" preserveAspectRatio="xMidYMax slice">
    {towers.map(({ x, width, top }, tower) => (
      <g key={x}>
        <rect
          x={x}
          y={top}
          width={width}
          height={groundY - top}
          rx="6"
          fill="rgba(255,255,255,.055)"
        />
        {createWindowGrid(width - 24, groundY - top - 40).map(({ row, column, dx, dy }) => (
          <rect
            key={`${row}-${column}`}
            x={x + 14 + dx}
            y={top + 22 + dy}
            width="9"
            height="13"
            rx="1.5"
            className={isWindowLit(tower, row, column) ? 'login-lit' : undefined}
            fill={isWindowLit(tower, row, column) ? '#ffd591' : 'rgba(255,255,255,.07)'}
            style={{ animationDelay: `${((tower * 7 + row * 3 + column) % 12) - 12}s` }}
          />
        ))}
      </g>
    ))}
    <path d={`M0 ${groundY}H800`} stroke="rgba(255,255,255,.25)" />
  </svg>
)

const createWindowGrid = (width: number, height: number) =>
  Array.from({ length: Math.floor(height / 28) }, (_, row) =>
    Array.from({ length: Math.floor(width / 20) }, (_, column) => ({
      row,
      column,
      dx: column * 20,
      dy: row * 28,
    })),
  ).flat()
