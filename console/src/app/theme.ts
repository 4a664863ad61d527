import {
  Badge,
  Card,
  createTheme,
  Drawer,
  Modal,
  Notification,
  Table,
  type MantineColorsTuple,
} from '@mantine/core'

const brand: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
]

/** Grays of the dark color scheme: the page is darkest, cards lie above it. */
const dark: MantineColorsTuple = [
  '#e6e8eb',
  '#bcc1c8',
  '#969ca6',
  '#6c737e',
  '#434953',
  '#2f343c',
  '#1d2025',
  '#16181c',
  '#0f1113',
  '#0a0b0d',
]

const close = { 'aria-label': 'Close' }

/** The look of the console. Colors have enough contrast for WCAG 2.2 AA in both color schemes. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  colors: { brand, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'lg', radius: 'lg' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm' } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: close } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: close } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: close } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 600 } }),
  },
})
