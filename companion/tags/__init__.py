"""The meanings of tags, and the enrolment of a box."""
