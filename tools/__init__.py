"""What is run by hand or by make: pictures, fonts, schema, mutants."""
