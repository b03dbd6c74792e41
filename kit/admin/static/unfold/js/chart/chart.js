// In place of the theme's file: no page draws charts with Chart.js. Those of this project are SVG.
