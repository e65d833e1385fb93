/** The icons light-all-on and light-all-off are a bulb with rays, and the same bulb struck through. */
const bulbPath =
  'M12 3a6 6 0 0 0-3.6 10.8c.7.5 1.1 1.3 1.1 2.2h5c0-.9.4-1.7 1.1-2.2A6 6 0 0 0 12 3Zm-2.2 15h4.4v1.2a1.3 1.3 0 0 1-1.3 1.3h-1.8a1.3 1.3 0 0 1-1.3-1.3V18Z'
const svgProps = {
  viewBox: '0 0 24 24',
  width: '1.15em',
  height: '1.15em',
  'aria-hidden': true,
  className: 'anticon',
} as const

export const LightAllOn = () => (
  <svg {...svgProps} data-icon="light-all-on">
    <path d={bulbPath} fill="#faad14" />
    <path
      d="M2.5 9H1M23 9h-1.500M4.600 2.600 3.500 1.500M19.400 2.600l1.100-1.100"
      stroke="#faad14"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
  </svg>
)
export const LightAllOff = () => (
  <svg
    {...svgProps}
    data-icon="light-all-off"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
  >
    <path d={bulbPath} />
    <path d="m4 3 16 18" />
  </svg>
)
