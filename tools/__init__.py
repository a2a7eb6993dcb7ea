"""Programs that are run by hand or by make: pictures, fonts, schema, mutants."""
