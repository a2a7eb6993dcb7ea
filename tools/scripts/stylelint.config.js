// What a style may look like, beyond what prettier sets.
export default {
  extends: "stylelint-config-standard",
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    // where an empty line stands says what belongs together
    "at-rule-empty-line-before": null,
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "declaration-empty-line-before": null,
    "rule-empty-line-before": null,
    // a page's parts are styled one after the other, each from its plain state to its special ones
    "no-descending-specificity": null,
    // phones that are older than `width <= 560px`
    "media-feature-range-notation": "prefix",
    // Safari knows no other for text and choice, Chromium before 120 none for masks
    "property-no-vendor-prefix": [
      true,
      { ignoreProperties: [/^-webkit-(text-size-adjust|user-select|mask-image)$/] },
    ],
    // a list in one :not() would weigh less than several
    "selector-not-notation": null,
    "value-keyword-case": ["lower", { ignoreKeywords: ["currentColor", "Rubik"] }],
  },
};
